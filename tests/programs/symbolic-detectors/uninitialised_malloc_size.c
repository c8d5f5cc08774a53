// The block is written at its beginning, and read at its end.
//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 4, "n"), sevens = 0;
    long *p = malloc((size_t)n * sizeof *p);
    p[0] = 6;
    if (p[n - 1] == 7) sevens++; // fixme: bug uninitialised-read; not followed in an object of symbolic size
    free(p);
    return sevens > 1;
}
// expect: exits 0
