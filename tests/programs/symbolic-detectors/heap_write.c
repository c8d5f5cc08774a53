#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    int i = fathom_range(0, 9, "i");
    p[i] = 1; // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
// expect: input i=8
