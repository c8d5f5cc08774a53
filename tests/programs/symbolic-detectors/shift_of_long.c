// A mask of the lowest bits: all 64 of them are too many.
#include <fathom.h>
#include <stdint.h>
static uint64_t lowest(unsigned bits) {
    return ((uint64_t)1 << bits) - 1; // expect: bug shift-overflow
}
int main(void) {
    unsigned char bits;
    fathom_make_symbolic(&bits, 1, "bits");
    if (bits > 64) return 2;
    if (lowest(bits) >> 63) return 1;
    return 0;
}
// expect: input bits=64
// expect: exits 0 2
