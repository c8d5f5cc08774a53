// The string has no end for one choice of its last byte.
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(4);
    fathom_make_symbolic(p, 4, "text");
    return strlen(p) == 9; // expect: bug out-of-bounds-read
}
// expect: exits 0
// expect: paths 5
