#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 9, "n");
    char *p = calloc((size_t)n, 1);
    if (n == 3) free(p);
    if (p[0]) return 1; // expect: bug use-after-free
    if (n == 5) free(p);
    if (n > 4) free(p); // expect: bug double-free
    return 0;
}
// expect: input n=3
// expect: input n=5
// expect: exits 0
