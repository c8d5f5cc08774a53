#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int size = fathom_range(1, 7, "size"), length = fathom_range(0, 7, "length");
    if (length > size) return 1;
    char *p = malloc((size_t)size);
    memset(p, 'a', (size_t)length);
    for (int i = 0; i < length; i++) {
        if (p[i] != 'a') return 2;
    }
    free(p);
    return 0;
}
// expect: exits 0 1
