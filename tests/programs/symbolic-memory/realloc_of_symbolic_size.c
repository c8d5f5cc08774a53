// The block that grows has a symbolic size itself.
//@ native: skip
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 5, "n");
    char *p = malloc((size_t)n);
    p[n - 1] = 7;
    p = realloc(p, 16); // expect: bug out-of-bounds-read
    if (p[n - 1] != 7) return 1;
    p[15] = 1;
    free(p);
    return 0;
}
// fixme: no bug; as many bytes are read as there may be at most
