//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    size_t size;
    size = fathom_int("x") != 4 ? 7 : 9;
    free(malloc(size));
    return 0;
}
// expect: exits 0
