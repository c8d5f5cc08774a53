#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = calloc(6, 1);
    unsigned n = fathom_int("n");
    if (n > 6) return 2;
    memset(p, (int)n, n);
    if (p[5]) return 1;
    return 0;
}
// expect: exits 0 1 2
