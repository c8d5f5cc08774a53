//@ run: --sym-stdin 5
#include <fathom.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char *p = malloc(4);
    int n = fathom_range(0, 6, "n");
    if (read(0, p, (size_t)n) < 0) return 1; // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
// expect: input n=5
// expect: exits 0
