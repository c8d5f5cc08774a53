#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char local[8], *p = malloc(8);
    char *q = fathom_int("x") == 5 ? local : p;
    if (q != local) free(q);
    return 0;
}
// expect: exits 0
