#include <fathom.h>
#include <stdlib.h>
int main(void) {
    unsigned n = fathom_int("n");
    if (n > 64 || n < 10) return 2;
    char *p = malloc(n);
    p[9] = 1;
    p[n - 1] = 1;
    free(p);
    return 0;
}
// expect: exits 0 2
