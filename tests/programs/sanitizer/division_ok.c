//@ cc: -fsanitize=undefined
#include <fathom.h>
int main(void) {
    int x = fathom_range(-2, 3, "x");
    if (x == 0) return 3;
    return 6 / x == 100;
}
// expect: exits 0 3
