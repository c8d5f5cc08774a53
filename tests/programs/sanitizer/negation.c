//@ cc: -fsanitize=undefined
#include <fathom.h>
int main(void) {
    long x;
    fathom_make_symbolic(&x, sizeof x, "x");
    long y = -x; // expect: bug signed-overflow
    return y == 0 && x != 0;
}
// expect: input x=-9223372036854775808
// expect: exits 0
