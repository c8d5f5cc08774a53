#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    int i = fathom_range(-1, 8, "i");
    p[i] = 1; // expect: bug out-of-bounds-write
    return 0;
}
// expect: input i=-1
