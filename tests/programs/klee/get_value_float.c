#include <klee/klee.h>
int main(void) {
    float f = (float)klee_range(0, 9, "f");
    double d = klee_range(0, 9, "d");
    if (klee_get_valuef(f) != f || klee_get_valued(d) != d) return 9;
    return 0;
}
// expect: exits 0
// expect: not exhaustive
