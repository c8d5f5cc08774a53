#include <assert.h>
#include <fathom.h>
int main(void) {
    int a = fathom_int("a"), sum;
    if (__builtin_add_overflow(a, 1, &sum)) {
        assert(a == 0x7fffffff);
        return 1;
    }
    unsigned product;
    if (__builtin_mul_overflow((unsigned)a, 3u, &product)) return 2;
    return 0;
}
// expect: exits 0 1 2
