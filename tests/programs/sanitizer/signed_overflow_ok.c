//@ cc: -fsanitize=undefined
#include <fathom.h>
int main(void) {
    int x = fathom_range(-1000, 1000, "x");
    int y = x * x - x;
    if (y < 0) return 9;
    return 0;
}
// expect: exits 0
