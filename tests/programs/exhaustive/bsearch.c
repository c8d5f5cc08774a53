#include <assert.h>
#include <fathom.h>
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int keys[3], key = fathom_range(-100, 100, "key");
    keys[0] = fathom_range(-100, 100, "a");
    keys[1] = fathom_range(-100, 100, "b");
    keys[2] = fathom_range(-100, 100, "c");
    fathom_assume(keys[0] <= keys[1]);
    fathom_assume(keys[1] <= keys[2]);
    int *found = bsearch(&key, keys, 3, sizeof *keys, order);
    if (found) {
        assert(*found == key);
        return 1;
    }
    for (int i = 0; i < 3; i++) assert(keys[i] != key);
    return 0;
}
// expect: exits 0 1
// expect: covered
