//@ cc: -fsanitize=undefined
#include <fathom.h>
#include <stdint.h>
static uint32_t rotate(uint32_t x, unsigned n) {
    return x << n | x >> (32 - n); // expect: bug shift-overflow
}
int main(void) {
    if (rotate(0x80000001, (unsigned)fathom_range(0, 32, "n")) == 3) return 1;
    return 0;
}
// expect: input n=0
// expect: exits 0 1
