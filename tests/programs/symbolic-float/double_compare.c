#include <assert.h>
#include <fathom.h>
int main(void) {
    double x, y;
    fathom_make_symbolic(&x, sizeof x, "x");
    fathom_make_symbolic(&y, sizeof y, "y");
    if (x < y) {
        assert(y > x);
        return 1;
    }
    if (x > y) return 2;
    if (x == y) return 3;
    assert(x != x || y != y);
    return 4;
}
// expect: exits 1 2 3 4
