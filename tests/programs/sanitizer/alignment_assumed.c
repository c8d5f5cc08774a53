//@ cc: -fsanitize=alignment
#include <fathom.h>
static _Alignas(16) char block[32];
int main(void) {
    char *p = block + 4 * fathom_range(0, 4, "i");
    char *q = __builtin_assume_aligned(p, 16); // expect: bug alignment
    return *q;
}
// expect: exits 0
