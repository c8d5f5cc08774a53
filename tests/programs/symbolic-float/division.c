#include <assert.h>
#include <fathom.h>
int main(void) {
    double x;
    fathom_make_symbolic(&x, sizeof x, "x");
    double y = 1.0 / x;
    if (y == 0.25) {
        assert(x == 4.0);
        return 1;
    }
    if (y > 1.7e308) return 2;
    return 0;
}
// expect: exits 0 1 2
