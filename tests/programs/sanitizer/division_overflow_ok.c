//@ cc: -fsanitize=undefined
#include <fathom.h>
#include <limits.h>
int main(void) {
    int x = fathom_int("x");
    int y = x < -INT_MAX ? 0 : x / -1;
    if (y == x && x) return 1;
    return 0;
}
// expect: exits 0
