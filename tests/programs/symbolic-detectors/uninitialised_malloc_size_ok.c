//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 4, "n"), sevens = 0;
    long *p = malloc((size_t)n * sizeof *p);
    p[n - 1] = 6;
    if (p[n - 1] == 7) sevens++;
    free(p);
    return sevens > 0;
}
// expect: exits 0
