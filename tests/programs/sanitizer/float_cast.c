//@ cc: -fsanitize=float-cast-overflow
#include <fathom.h>
int main(void) {
    double d;
    fathom_make_symbolic(&d, sizeof d, "d");
    if (!(d > 0 && d < 300)) return 2;
    unsigned char c = (unsigned char)d; // expect: bug float-cast-overflow
    return c == 0 && d >= 1;
}
