#include <fathom.h>
#include <stdlib.h>
int main(void) {
    unsigned n = fathom_int("n");
    if (n > 64 || n < 10) return 2;
    char *p = malloc(n + 1);
    p[n] = 1;
    return 0;
}
// expect: exits 0 2
