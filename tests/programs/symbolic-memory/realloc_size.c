#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p[0] = 7;
    int n = fathom_range(1, 9, "n");
    p = realloc(p, (size_t)n);
    if (p[0] != 7) return 1;
    p[5] = 1; // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
// expect: exits 0
