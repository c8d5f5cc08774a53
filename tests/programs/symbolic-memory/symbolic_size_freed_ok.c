#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 9, "n");
    char *p = calloc((size_t)n, 1);
    if (n == 3) free(p);
    if (n != 3 && p[0]) return 1;
    if (n == 5) free(p);
    if (n > 5) free(p);
    return 0;
}
// expect: exits 0
