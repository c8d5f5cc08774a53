#include <assert.h>
#include <fathom.h>
#include <stdlib.h>
struct node { unsigned char key; struct node *next; };
int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node), **at = &head;
        fathom_make_symbolic(&node->key, 1, "key");
        while (*at && (*at)->key < node->key) at = &(*at)->next;
        node->next = *at;
        *at = node;
    }
    for (struct node *node = head; node->next; node = node->next)
        assert(node->key <= node->next->key);
    return 0;
}
// expect: paths 6
