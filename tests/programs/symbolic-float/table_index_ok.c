#include <fathom.h>
static const char table[4] = "abcd";
int main(void) {
    float x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (!(x >= 0 && x < 4)) return 2;
    if (table[(int)x] == 'c') return 1;
    return 0;
}
// expect: exits 0 1 2
