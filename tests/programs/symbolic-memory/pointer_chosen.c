// Two objects, one of them by a symbolic choice, written through one pointer.
#include <assert.h>
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    int *table[2] = {a, b};
    int i = fathom_range(0, 2, "i");
    *table[i] = 5;
    assert(*a + *b == 5);
    if (*b) {
        assert(i == 1);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
