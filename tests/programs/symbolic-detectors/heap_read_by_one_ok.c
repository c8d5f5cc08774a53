#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(10, 1);
    unsigned i = fathom_int("i");
    if (i >= 10) return 2;
    return p[i];
}
// expect: exits 0 2
