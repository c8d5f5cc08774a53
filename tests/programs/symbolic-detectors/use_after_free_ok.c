#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(4, 1);
    int x = fathom_int("x");
    if (x > 10) free(p);
    if (x < 11) return p[1];
    return 1;
}
// expect: exits 0 1
