#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = calloc(6, 1);
    unsigned n = fathom_int("n");
    memset(p, 1, n); // expect: bug out-of-bounds-write
    if (p[5]) return 1;
    return 0;
}
// expect: exits 0 1
