//@ cc: -fsanitize=undefined
#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    int y = x / -1; // expect: bug signed-overflow
    if (y == x && x) return 1;
    return 0;
}
// expect: input x=-2147483648
// expect: exits 0
