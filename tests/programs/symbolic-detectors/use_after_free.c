#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(4, 1);
    int x = fathom_int("x");
    if (x > 10) free(p);
    if (x < 12) return p[1]; // expect: bug use-after-free
    return 1;
}
// expect: input x=11
// expect: exits 0 1
