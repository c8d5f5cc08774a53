#include <fathom.h>
#include <stddef.h>
struct node { int value; struct node *next; };
static struct node last = {1, NULL}, first = {2, &last};
int main(void) {
    struct node *node = &first;
    for (int n = fathom_range(0, 9, "n"); n > 0 && node; n--) node = node->next;
    return node ? node->value : 9;
}
// expect: exits 1 2 9
