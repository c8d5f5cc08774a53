//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 4, "n");
    long *p = calloc(2, sizeof *p);
    p = realloc(p, (size_t)n * sizeof *p);
    if (n == 3) p[2] = 1;
    if (p[n - 1] == 7) return 1;
    free(p);
    return 0;
}
// expect: exits 0
