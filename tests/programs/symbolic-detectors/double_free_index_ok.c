#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *blocks[3];
    for (int i = 0; i < 3; i++) blocks[i] = malloc(4);
    free(blocks[0]);
    free(blocks[fathom_range(1, 3, "i")]);
    return 0;
}
// expect: exits 0
