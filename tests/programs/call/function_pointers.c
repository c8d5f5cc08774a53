#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int op(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static op *const table[] = {add, sub, mul};
static op *pick(char c) { return c == '+' ? add : c == '-' ? &sub : mul; }
static int apply(op *f, int a, int b) { return (*f)(a, b); }
struct vtable {
    const char *name;
    double (*area)(const void *);
};
struct circle {
    const struct vtable *v;
    double r;
};
struct square {
    const struct vtable *v;
    double s;
};
static double circle_area(const void *p) {
    const struct circle *c = p;
    return 3 * c->r * c->r;
}
static double square_area(const void *p) {
    const struct square *s = p;
    return s->s * s->s;
}
static const struct vtable circles = {"circle", circle_area}, squares = {"square", square_area};
static int by_length(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    int d = (int)strlen(x) - (int)strlen(y);
    return d ? d : strcmp(x, y);
}
static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    for (int i = 0; i < 3; i++) printf("%d ", table[i](7, 3));
    printf("%d %d %d\n", apply(pick('+'), 1, 2), apply(pick('-'), 1, 2), pick('*')(4, 5));
    struct circle c = {&circles, 2};
    struct square s = {&squares, 3};
    const void *shapes[] = {&c, &s};
    for (int i = 0; i < 2; i++) {
        const struct vtable *v = *(const struct vtable *const *)shapes[i];
        printf("%s %g\n", v->name, v->area(shapes[i]));
    }
    const char *words[] = {"pear", "fig", "banana", "apple", "kiwi", "date"};
    qsort(words, 6, sizeof *words, by_length);
    for (int i = 0; i < 6; i++) printf("%s ", words[i]);
    int v[100];
    unsigned r = 7;
    for (int i = 0; i < 100; i++) v[i] = (int)((r = r * 1664525 + 1013904223) >> 20);
    qsort(v, 100, sizeof *v, by_value);
    int sorted = 1;
    for (int i = 1; i < 100; i++) sorted &= v[i - 1] <= v[i];
    int key = v[42];
    int *found = bsearch(&key, v, 100, sizeof *v, by_value);
    printf("\n%d %d\n", sorted, *found == key);
    op *a = add, *b = add;
    printf("%d %d %d\n", a == b, a == sub, a != NULL);
    void *p = (void *)mul;
    printf("%d\n", ((op *)p)(6, 7));
    int (*(*get)(char))(int, int) = pick;
    printf("%d\n", get('-')(10, 1));
    return 0;
}
