// A large and a small block are lost together.
//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
static char *name, *value;
int main(void) {
    name = malloc(8);   // fixme: bug leak; only the largest of the lost objects is reported
    value = malloc(64); // expect: bug leak
    if (fathom_int("x") == 9) name = value = NULL;
    return 0;
}
// expect: input x=9
