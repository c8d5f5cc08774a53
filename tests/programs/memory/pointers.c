#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    int key;
};
static struct node *insert(struct node *n, int key) {
    if (!n) {
        n = calloc(1, sizeof *n);
        n->key = key;
        return n;
    }
    struct node **side = key < n->key ? &n->left : &n->right;
    *side = insert(*side, key);
    return n;
}
static void walk(const struct node *n, void (*visit)(int, void *), void *arg) {
    if (n) {
        walk(n->left, visit, arg);
        visit(n->key, arg);
        walk(n->right, visit, arg);
    }
}
static void print(int key, void *arg) {
    int **p = arg;
    printf("%d ", key);
    *(*p)++ = key;
}
static void release(struct node *n) {
    if (n) {
        release(n->left);
        release(n->right);
        free(n);
    }
}

int main(void) {
    struct node *root = NULL;
    unsigned r = 1;
    int keys[50], *end = keys;
    for (int i = 0; i < 50; i++) {
        r = r * 1103515245 + 12345;
        root = insert(root, (int)(r >> 16) % 1000);
    }
    walk(root, print, &end);
    printf("\n%td\n", end - keys);
    release(root);
    int a[10] = {0};
    int *p = a, *q = a + 10;
    printf("%td %d %d %d %d\n", q - p, p < q, p == a, p != q, q >= p);
    uintptr_t bits = (uintptr_t)p | 1;
    int *back = (int *)(bits & ~(uintptr_t)1);
    *back = 5;
    printf("%d %d\n", a[0], p == back);
    char *c = (char *)&a[3];
    *(int *)c = 77;
    printf("%d\n", a[3]);
    void *v = &a[9];
    *(int *)v = 9;
    printf("%d\n", q[-1]);
    int **pp = &p;
    (*pp)++;
    **pp = 6;
    printf("%d %td\n", a[1], p - a);
    const char *const names[] = {"x", "y", 0};
    for (const char *const *n = names; *n; n++) printf("%s", *n);
    printf("\n%d %d\n", &a[2] == &2 [a], (char *)(a + 1) - (char *)a == sizeof(int));
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}}, (*row)[3] = m;
    row++;
    printf("%d\n", (*row)[1]);
    return 0;
}
