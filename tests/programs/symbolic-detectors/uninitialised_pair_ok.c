//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int x = fathom_int("x");
    int *a = malloc(8), *b = malloc(8), same = 0;
    a[1] = 4;
    b[1] = x;
    if (a[1] == b[1]) same++;
    free(a);
    free(b);
    return same;
}
// expect: exits 0 1
