#include <assert.h>
#include <fathom.h>
int main(void) {
    unsigned x = fathom_int("x");
    double d = x;
    if (d < 0) return 9;
    if (d == 4294967295.0) {
        assert(x == ~0u);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
