//@ cc: -fsanitize=undefined
#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    int y = x / -1; // expect: bug division-by-zero
    if (y == x && x) return 1;
    return 0;
}
// expect: input x=-2147483648
// fixme: bug signed-overflow; one handler of the sanitizer serves both
// expect: exits 0
