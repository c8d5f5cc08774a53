// The block that grows has a symbolic size itself.
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 5, "n");
    char *p = malloc((size_t)n);
    p[n - 1] = 7;
    p = realloc(p, 16);
    if (p[n - 1] != 7) return 1;
    p[15] = 1;
    free(p);
    return 0;
}
// expect: exits 0
