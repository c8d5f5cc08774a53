#include <fathom.h>
static int depth(unsigned n) {
    volatile char pad[3 << 19];
    pad[0] = 1;
    return n == 0 ? 0 : depth(n - 1) + pad[0];
}
int main(void) {
    if (depth(fathom_int("n") & 3) > 3) return 1;
    return 0;
}
// expect: exits 0
// expect: paths 4
