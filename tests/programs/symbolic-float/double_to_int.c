#include <assert.h>
#include <fathom.h>
int main(void) {
    double d;
    fathom_make_symbolic(&d, sizeof d, "d");
    if (!(d > -1000 && d < 1000)) return 2;
    if ((int)d == -7) {
        assert(d <= -7 && d > -8);
        return 1;
    }
    return 0;
}
// expect: exits 0 1 2
