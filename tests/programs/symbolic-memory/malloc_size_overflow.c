// The product wraps: the block is smaller than the loop believes.
#include <fathom.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    uint32_t n = fathom_int("n");
    if (n < 0x10000000 || n > 0x10000004) return 2;
    uint32_t size = n * 16;
    char *p = malloc(size);
    if (!p) return 3;
    p[size / 2] = 1; // expect: bug out-of-bounds-write
    p[40] = 1;       // expect: bug out-of-bounds-write
    return 0;
}
// expect: exits 0 2
