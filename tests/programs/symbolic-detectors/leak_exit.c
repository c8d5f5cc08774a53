// The inner function drops the block, the outer one holds another when it leaves.
//@ run: --check-leaks --exact
#include <fathom.h>
#include <stdlib.h>
static void use(int x) {
    char *inner = malloc(24); // expect: bug leak
    if (x != 3) free(inner);
}
int main(void) {
    char *outer = malloc(16);
    outer[0] = 1;
    use(fathom_int("x"));
    exit(outer[0]);
}
// expect: input x=3
// expect: exits 1
