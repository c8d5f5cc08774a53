#include <fathom.h>
int main(void) {
    unsigned x = fathom_int("x");
    if (100 / (x | 1) == 100) return 1;
    return 0;
}
// expect: exits 0 1
