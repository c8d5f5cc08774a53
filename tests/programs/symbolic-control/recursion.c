#include <assert.h>
#include <fathom.h>
static unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }
int main(void) {
    unsigned char a, b;
    fathom_make_symbolic(&a, 1, "a");
    fathom_make_symbolic(&b, 1, "b");
    a &= 15;
    b &= 15;
    if (gcd(a, b) == 7) {
        assert(a % 7 == 0 && b % 7 == 0);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
