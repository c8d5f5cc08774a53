#include <fathom.h>
#include <stdint.h>
static uint64_t lowest(unsigned bits) {
    return bits ? ~(uint64_t)0 >> (64 - bits) : 0;
}
int main(void) {
    unsigned char bits;
    fathom_make_symbolic(&bits, 1, "bits");
    if (bits > 64) return 2;
    if (lowest(bits) >> 63) return 1;
    return 0;
}
// expect: exits 0 1 2
