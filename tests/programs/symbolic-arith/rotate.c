#include <assert.h>
#include <fathom.h>
static unsigned rotate(unsigned x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
int main(void) {
    unsigned x = fathom_int("x"), n = fathom_int("n");
    if (rotate(rotate(x, n), -n) != x) return 9;
    if (rotate(x, 4) == 0x23456781) {
        assert(x == 0x12345678);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
