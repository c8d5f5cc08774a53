#include <fathom.h>
#include <stdlib.h>
int main(void) {
    unsigned n = fathom_int("n");
    if (n > 64 || n < 10) return 2;
    char *p = malloc(n);
    p[n] = 1; // expect: bug out-of-bounds-write
    return 0;
}
// expect: exits 2
