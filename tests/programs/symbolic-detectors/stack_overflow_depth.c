// The depth itself is symbolic: every level forks.
#include <fathom.h>
static int depth(unsigned n) {
    volatile char pad[3 << 19];
    pad[0] = 1;
    return n == 0 ? 0 : depth(n - 1) + pad[0]; // expect: bug stack-overflow
}
int main(void) {
    if (depth(fathom_int("n")) < 0) return 1;
    return 0;
}
// expect: exits 0
