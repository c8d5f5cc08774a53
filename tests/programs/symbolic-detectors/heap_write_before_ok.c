#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    int i = fathom_range(-1, 8, "i");
    if (i != -1) p[i] = 1;
    return 0;
}
// expect: exits 0
