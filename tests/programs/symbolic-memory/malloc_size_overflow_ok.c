#include <fathom.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    uint32_t n = fathom_int("n");
    if (n & 0x0ffffff8) return 2;
    uint32_t size;
    if (n < 3 || __builtin_mul_overflow(n, 16u, &size)) return 4;
    char *p = malloc(size);
    if (!p) return 3;
    p[size / 2] = 1;
    p[40] = 1;
    return 0;
}
// expect: exits 0 2 4
