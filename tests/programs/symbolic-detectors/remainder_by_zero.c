#include <fathom.h>
int main(void) {
    unsigned char x;
    fathom_make_symbolic(&x, 1, "x");
    unsigned char y = x * 16;
    return 7 % y == 0; // expect: bug division-by-zero
}
// expect: exits 0
