// Neither of two blocks of one size has been written where they are compared.
//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int x = fathom_int("x");
    int *a = malloc(8), *b = malloc(8), same = 0;
    if (x > 7) a[1] = b[1] = 3;
    if (a[1] == b[1]) same++; // expect: bug uninitialised-read
    free(a);
    free(b);
    return same > 1;
}
// expect: exits 0
