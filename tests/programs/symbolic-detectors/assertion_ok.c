#include <assert.h>
#include <fathom.h>
int main(void) {
    unsigned x = fathom_int("x");
    assert((x & -x) == (x & (~x + 1)));
    assert(((x ^ x >> 1) == 0) == (x == 0));
    return 0;
}
// expect: exits 0
