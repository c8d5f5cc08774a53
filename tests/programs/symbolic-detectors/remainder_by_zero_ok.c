#include <fathom.h>
int main(void) {
    unsigned char x;
    fathom_make_symbolic(&x, 1, "x");
    unsigned char y = x * 16;
    if (y && 7 % y == 0) return 1;
    return 0;
}
// expect: exits 0
