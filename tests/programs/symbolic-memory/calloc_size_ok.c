#include <assert.h>
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 6, "n");
    int *p = calloc((size_t)n, sizeof *p);
    if (p[n - 1]) return 1;
    p[n - 1] = 4;
    int v = n >= 4 ? p[3] : 5;
    free(p);
    if (v == 4) {
        assert(n == 4);
        return 4;
    }
    return 0;
}
// expect: exits 0 4
