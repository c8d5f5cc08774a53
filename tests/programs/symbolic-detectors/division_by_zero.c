#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    int y = 100 / (x - 12345); // expect: bug division-by-zero
    if (y == 100) return 1;
    return 0;
}
// expect: input x=12345
// expect: exits 0 1
