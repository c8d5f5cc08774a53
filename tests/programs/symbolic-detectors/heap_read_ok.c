#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int *p = calloc(10, sizeof *p);
    unsigned i = fathom_int("i");
    int v = i < 10 ? p[i] : 1;
    free(p);
    return v;
}
// expect: exits 0 1
