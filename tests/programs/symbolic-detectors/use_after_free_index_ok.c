#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *blocks[3];
    for (int i = 0; i < 3; i++) blocks[i] = calloc(4, 1);
    free(blocks[1]);
    char *p = blocks[2 * fathom_range(0, 2, "i")];
    return p[0];
}
// expect: exits 0
