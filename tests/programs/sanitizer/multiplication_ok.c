//@ cc: -fsanitize=signed-integer-overflow
#include <fathom.h>
int main(void) {
    short x;
    fathom_make_symbolic(&x, sizeof x, "x");
    int y = x * 65535;
    if (y == 1) return 1;
    return 0;
}
// expect: exits 0
