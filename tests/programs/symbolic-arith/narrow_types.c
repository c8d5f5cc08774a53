#include <assert.h>
#include <fathom.h>
int main(void) {
    signed char a;
    unsigned char b;
    fathom_make_symbolic(&a, 1, "a");
    fathom_make_symbolic(&b, 1, "b");
    signed char sum = (signed char)(a + b);
    if (a > 0 && b > 0 && sum < 0 && b == 100) {
        assert(a >= 28);
        return 1;
    }
    if ((short)(a * b) == -12800 && b == 200) {
        assert(a == -64);
        return 2;
    }
    return 0;
}
// expect: exits 0 1 2
