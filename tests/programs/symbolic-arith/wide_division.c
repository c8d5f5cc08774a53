#include <assert.h>
#include <fathom.h>
int main(void) {
    __int128 x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (x < 0 || x > 1000) return 2;
    if (x / 7 == 11 && x % 7 == 3) {
        assert(x == 80);
        return 1;
    }
    return 0;
}
// expect: exits 0 1 2
