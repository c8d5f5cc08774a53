//@ cc: -fsanitize=float-cast-overflow
#include <fathom.h>
int main(void) {
    double d;
    fathom_make_symbolic(&d, sizeof d, "d");
    if (!(d > -1 && d < 256)) return 2;
    unsigned char c = (unsigned char)d;
    if (c == 0 && d >= 1) return 1;
    return 0;
}
// expect: exits 0 2
