#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(4);
    fathom_make_symbolic(p, 4, "text");
    p[3] = 0;
    return strlen(p) > 3;
}
// expect: exits 0
// expect: paths 4
