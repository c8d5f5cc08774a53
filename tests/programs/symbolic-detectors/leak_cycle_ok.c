//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
struct end { struct end *other; };
static struct end *either;
static struct end *make(struct end *other) {
    struct end *end = malloc(sizeof *end);
    end->other = other;
    return end;
}
int main(void) {
    struct end *a = make(NULL), *b = make(a);
    a->other = b;
    either = fathom_int("x") != 5 ? a : b;
    return 0;
}
// expect: exits 0
