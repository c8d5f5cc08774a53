#include <fathom.h>
#include <limits.h>
int main(void) {
    long x;
    fathom_make_symbolic(&x, sizeof x, "x");
    long y = fathom_range(-1, 0, "y");
    if (x == LONG_MIN) return 6;
    return x % y == 0 ? 4 : 5;
}
// expect: exits 4 6
