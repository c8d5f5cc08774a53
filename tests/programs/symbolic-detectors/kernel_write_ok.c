//@ run: --sym-stdin 4
#include <fathom.h>
#include <unistd.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    unsigned char n;
    fathom_make_symbolic(&n, 1, "n");
    if (n > 4) return 1;
    if (read(0, p, n) == 4 && p[3] == 'y') return 2;
    free(p);
    return 0;
}
// expect: exits 0 1 2
