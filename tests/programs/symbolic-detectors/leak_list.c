// The head of a list is freed, and with it the only way to the rest.
//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
static struct node *list;
static void push(int value) {
    struct node *node = malloc(sizeof *node); // expect: bug leak
    node->value = value;
    node->next = list;
    list = node;
}
int main(void) {
    int n = fathom_range(0, 3, "n");
    for (int i = 0; i < n; i++) push(i);
    free(list);
    list = NULL;
    return 0;
}
// expect: input n=2
