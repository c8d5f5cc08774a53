#include <fathom.h>
#include <stdlib.h>
int main(void) {
    unsigned n = fathom_int("n");
    if (n > 64) return 2;
    char *p = malloc(n);
    p[9] = 1; // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
// expect: exits 0 2
