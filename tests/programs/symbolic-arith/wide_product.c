#include <assert.h>
#include <fathom.h>
int main(void) {
    unsigned char a;
    fathom_make_symbolic(&a, 1, "a");
    __int128 p = (__int128)0x1000000000000000 * a;
    if ((unsigned long)(p >> 64) == 15) {
        assert(a >= 240);
        return 1;
    }
    if (p == (__int128)0x1000000000000000 * 77) return 2;
    return 0;
}
// expect: exits 0 1 2
