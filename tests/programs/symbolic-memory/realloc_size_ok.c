#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p[0] = 7;
    int n = fathom_range(1, 9, "n");
    p = realloc(p, (size_t)n);
    if (p[0] != 7) return 1;
    p[n - 1] = 1;
    free(p);
    return 0;
}
// expect: exits 0
