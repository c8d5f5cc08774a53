#include <assert.h>
#include <fathom.h>
int main(void) {
    char a[8];
    char *p = a + fathom_range(0, 8, "i"), *q = a + fathom_range(0, 8, "j");
    if (p - q == 7) {
        assert(p == a + 7);
        return 1;
    }
    if (p < q) return 2;
    return 0;
}
// expect: exits 0 1 2
