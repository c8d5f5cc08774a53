// A long number is written into a local buffer, a short one into the caller's.
#include <fathom.h>
static char *digits(unsigned x, char *small) {
    char large[12];
    char *end = x < 1000 ? small + 3 : large + 11;
    *end = 0;
    do *--end = (char)('0' + x % 10);
    while (x /= 10);
    return end;
}
int main(void) {
    char small[4];
    unsigned short x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (x < 998 || x > 1001) return 2;
    char *text = digits(x, small);
    return *text == '9' ? 0 : 1; // expect: bug use-after-free
}
// expect: exits 0 2
