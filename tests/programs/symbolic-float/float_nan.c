#include <assert.h>
#include <fathom.h>
#include <math.h>
int main(void) {
    float x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (x != x) {
        assert(isnan(x));
        return 1;
    }
    if (isinf(x)) return 2;
    if (x == 0 && signbit(x)) return 3;
    if (x == 0) return 4;
    return 0;
}
// expect: exits 0 1 2 3 4
