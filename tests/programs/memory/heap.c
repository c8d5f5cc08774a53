#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = malloc(10);
    strcpy(p, "123456789");
    p = realloc(p, 1000);
    printf("%s\n", p);
    p = realloc(p, 5);
    printf("%.5s\n", p);
    free(p);
    int *z = calloc(100, sizeof *z);
    int s = 0;
    for (int i = 0; i < 100; i++) s |= z[i];
    printf("%d\n", s);
    free(z);
    free(NULL);
    p = realloc(NULL, 20);
    strcpy(p, "fresh");
    puts(p);
    free(p);
    void *blocks[200];
    for (int i = 0; i < 200; i++) {
        blocks[i] = malloc((size_t)i * 13 + 1);
        memset(blocks[i], i, (size_t)i * 13 + 1);
        printf("%d", ((uintptr_t)blocks[i] & 15) != 0);
    }
    long sum = 0;
    for (int i = 0; i < 200; i++) {
        unsigned char *b = blocks[i];
        sum += b[0] + b[i * 13];
        if (i & 1) free(b);
    }
    for (int i = 0; i < 200; i += 2) free(blocks[i]);
    printf("\n%ld\n", sum);
    void *a = NULL;
    printf("%d %d\n", posix_memalign(&a, 256, 100), ((uintptr_t)a & 255) == 0);
    free(a);
    a = aligned_alloc(64, 128);
    printf("%d\n", ((uintptr_t)a & 63) == 0);
    free(a);
    volatile size_t huge = SIZE_MAX / 2;
    printf("%d %d\n", malloc(huge) == NULL, calloc(huge, 4) == NULL);
    void *m0 = malloc(0), *m1 = malloc(0);
    printf("%d %d\n", m0 != NULL, m0 != m1);
    free(m0);
    free(m1);
    char *d = strdup("dup");
    puts(d);
    free(d);
    char *fmt;
    printf("%d", asprintf(&fmt, "%d-%s", 7, "x"));
    puts(fmt);
    free(fmt);
    struct node {
        struct node *next;
        int v;
    } *list = NULL;
    for (int i = 0; i < 1000; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = list;
        list = n;
    }
    sum = 0;
    while (list) {
        struct node *n = list->next;
        sum = sum * 31 % 1000003 + list->v;
        free(list);
        list = n;
    }
    printf("%ld\n", sum);
    return 0;
}
