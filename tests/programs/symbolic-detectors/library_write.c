#include <fathom.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    int x = fathom_range(0, 2000, "x");
    sprintf(p, "%d", x); // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
// expect: exits 0
