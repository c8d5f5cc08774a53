//@ run: --max-stack 1
#include <fathom.h>
static int depth(unsigned n) {
    volatile char pad[64 << 10];
    pad[0] = 1;
    return n == 0 ? 0 : depth(n - 1) + pad[0];
}
int main(void) {
    if (depth(fathom_int("n") & 7) > 7) return 1;
    return 0;
}
// expect: exits 0
// expect: paths 8
