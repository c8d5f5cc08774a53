// Freeing a null pointer is allowed, and so is giving none to realloc.
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *blocks[3] = {malloc(1), NULL, malloc(3)};
    int i = fathom_range(0, 3, "i");
    free(blocks[i]);
    blocks[i] = NULL;
    blocks[i] = realloc(blocks[i], 5);
    blocks[i][4] = 1;
    for (int k = 0; k < 3; k++) free(blocks[k]);
    return 0;
}
// expect: exits 0
