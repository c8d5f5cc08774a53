#include <fathom.h>
int main(void) {
    int x = fathom_range(3, 9, "x");
    uint64_t v = fathom_value((uint64_t)x);
    if (v < 3 || v > 8) return 9;
    return (int)v != x;
}
// expect: exits 0
// expect: paths 1
// expect: not exhaustive
