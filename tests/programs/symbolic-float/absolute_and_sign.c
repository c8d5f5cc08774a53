#include <assert.h>
#include <fathom.h>
#include <math.h>
int main(void) {
    double x;
    fathom_make_symbolic(&x, sizeof x, "x");
    double y = fabs(x), z = copysign(y, -1.0);
    if (signbit(y) || !signbit(z)) return 9;
    if (x != x) return 1;
    assert(y == -z);
    return 0;
}
// expect: exits 0 1
