//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
static struct node *list;
static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    list = node;
}
int main(void) {
    int n = fathom_range(0, 4, "n");
    for (int i = 0; i < n; i++) push(i);
    if (n == 3) return 1;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
// expect: exits 0 1
