//@ run: --inject-faults --sym-stdin 1
#include <unistd.h>

/* A digit never is this block's own value. */
static int next(const unsigned char *digit) {
    return *digit + 1;
}

int main(void) {
    unsigned char byte;
    read(0, &byte, 1);
    if (byte > 9)                  // expect: bug injected-division-by-zero
        return 0;
    return next(&byte) < 5;
}
// expect: exits 0 1
