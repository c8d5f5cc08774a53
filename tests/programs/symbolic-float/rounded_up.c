#include <assert.h>
#include <fathom.h>
#include <math.h>
int main(void) {
    float x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (!(x > 0 && x < 4)) return 2;
    float up = ceilf(x), down = floorf(x);
    if (up - down != 0 && up - down != 1) return 9;
    if (down == 2 && up == 2) {
        assert(x == 2);
        return 1;
    }
    return 0;
}
// expect: exits 0 1 2
