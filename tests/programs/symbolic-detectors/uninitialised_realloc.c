//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 4, "n"), sevens = 0;
    long *p = calloc(2, sizeof *p);
    p = realloc(p, 3 * sizeof *p);
    if (p[n - 1] == 7) sevens++; // fixme: bug uninitialised-read; what realloc adds counts as written
    free(p);
    return sevens > 1;
}
// expect: exits 0
