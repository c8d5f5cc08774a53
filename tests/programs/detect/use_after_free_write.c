#include <stdlib.h>
struct node { struct node *next; int v; };
static void release(struct node *n) {
    while (n) {
        free(n);
        n = n->next; // expect: bug use-after-free
    }
}
int main(void) {
    struct node *a = calloc(1, sizeof *a);
    a->next = calloc(1, sizeof *a);
    release(a);
    return 0;
}
