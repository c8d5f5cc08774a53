//@ cc: -fsanitize=undefined
#include <fathom.h>
#include <limits.h>
int main(void) {
    long x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (x == LONG_MIN) return 2;
    long y = -x;
    return y == 0 && x != 0;
}
// expect: exits 0 2
