#include <fathom.h>
#include <stdlib.h>
static const int keys[7] = {1, 3, 7, 20, 21, 40, 90};
static int order(const void *a, const void *b) {
    int x = *(int *)a, y = *(int *)b;
    return (x > y) - (x < y);
}
int main(void) {
    int key = fathom_int("key");
    const int *found = bsearch(&key, keys, 7, sizeof *keys, order);
    if (!found) return 0;
    if (*found != key) return 9;
    return found - keys == 5 ? 2 : 1;
}
// expect: exits 0 1 2
// expect: paths 14
