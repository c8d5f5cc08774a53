// Size and length are symbolic, and the length may be one too many.
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int size = fathom_range(1, 7, "size"), length = fathom_range(0, 7, "length");
    if (length > size + 1) return 1;
    char *p = malloc((size_t)size);
    memset(p, 'a', (size_t)length); // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
// expect: exits 0 1
