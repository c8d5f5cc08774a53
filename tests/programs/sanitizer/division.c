//@ cc: -fsanitize=undefined
#include <fathom.h>
int main(void) {
    int x = fathom_range(-2, 3, "x");
    return 6 / x == 100; // expect: bug division-by-zero
}
// expect: input x=0
