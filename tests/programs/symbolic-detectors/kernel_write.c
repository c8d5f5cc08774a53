// read() is told of more room than there is.
//@ run: --sym-stdin 4
#include <fathom.h>
#include <unistd.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    unsigned char n;
    fathom_make_symbolic(&n, 1, "n");
    if (n > 5) return 1;
    read(0, p, n);
    if (p[0] == 'x' && n == 5) return p[4]; // expect: bug out-of-bounds-read
    free(p);
    return 0;
}
// expect: exits 0 1
