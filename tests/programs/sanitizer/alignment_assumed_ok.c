//@ cc: -fsanitize=alignment
#include <fathom.h>
static _Alignas(16) char block[64];
int main(void) {
    char *p = block + 16 * fathom_range(0, 4, "i");
    char *q = __builtin_assume_aligned(p, 16);
    return *q;
}
// expect: exits 0
