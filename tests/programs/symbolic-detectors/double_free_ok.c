#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    unsigned char x;
    fathom_make_symbolic(&x, 1, "x");
    if (x & 1) free(p);
    if (!(x & 1)) free(p);
    return 0;
}
