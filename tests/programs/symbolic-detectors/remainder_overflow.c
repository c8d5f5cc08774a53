#include <fathom.h>
int main(void) {
    long x;
    fathom_make_symbolic(&x, sizeof x, "x");
    long y = fathom_range(-1, 0, "y");
    return x % y == 0 ? 4 : 5; // expect: bug signed-overflow
}
// expect: input x=-9223372036854775808
// expect: exits 4
