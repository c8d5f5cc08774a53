#include <fathom.h>
#include <stddef.h>
struct node { int value; struct node *next; };
static struct node last = {1, NULL}, first = {2, &last};
int main(void) {
    struct node *node = &first;
    for (int n = fathom_range(0, 3, "n"); n > 0; n--) node = node->next;
    return node->value; // expect: bug null-dereference
}
// expect: input n=2
// expect: exits 1 2
