// Not associative: the solver finds where.
#include <fathom.h>
int main(void) {
    float x = (float)fathom_range(0, 1 << 12, "n");
    if ((x + 1e8f) - 1e8f != x) return 1;
    return 0;
}
// expect: exits 0 1
