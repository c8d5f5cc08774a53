// Two objects that point to each other, and nobody to them.
//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
struct end { struct end *other; };
static struct end *make(struct end *other) {
    struct end *end = malloc(sizeof *end); // expect: bug leak
    end->other = other;
    return end;
}
int main(void) {
    struct end *a = make(NULL), *b = make(a);
    a->other = b;
    if (fathom_int("x") != 5) {
        free(a);
        free(b);
    }
    return 0;
}
// expect: input x=5
