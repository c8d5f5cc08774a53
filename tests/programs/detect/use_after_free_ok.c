#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
static void release(struct node *n) {
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}
int main(void) {
    struct node *a = calloc(1, sizeof *a);
    a->next = calloc(1, sizeof *a);
    release(a);
    for (int i = 0; i < 1000; i++) {
        char *p = malloc(100);
        p[99] = (char)i;
        p = realloc(p, 200);
        if (p[99] != (char)i) return 1;
        free(p);
    }
    puts("fine");
    return 0;
}
