#include <assert.h>
#include <fathom.h>
int main(void) {
    unsigned x = fathom_int("x");
    if (!x) return 5;
    int ones = __builtin_popcount(x), low = __builtin_ctz(x), high = 31 - __builtin_clz(x);
    if (high < low) return 9;
    if (ones == 2 && low == 3 && high == 17) {
        assert(x == (1u << 17 | 1u << 3));
        return 1;
    }
    if (__builtin_bswap32(x) == 0x78563412) {
        assert(x == 0x12345678);
        return 2;
    }
    return 0;
}
// expect: exits 0 1 2 5
