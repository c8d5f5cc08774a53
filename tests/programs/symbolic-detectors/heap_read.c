#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int *p = calloc(10, sizeof *p);
    unsigned i = fathom_int("i");
    int v = p[i]; // expect: bug out-of-bounds-read
    free(p);
    return v;
}
// expect: exits 0
// expect: paths 1
