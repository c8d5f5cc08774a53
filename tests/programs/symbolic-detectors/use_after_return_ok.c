#include <fathom.h>
static char *digits(unsigned x, char *small, char *large) {
    char *end = x < 1000 ? small + 3 : large + 11;
    *end = 0;
    do *--end = (char)('0' + x % 10);
    while (x /= 10);
    return end;
}
int main(void) {
    char small[4], large[12];
    unsigned short x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (x < 998 || x > 1001) return 2;
    char *text = digits(x, small, large);
    return *text == '9' ? 0 : 1;
}
// expect: exits 0 1 2
