#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int *block = malloc(4 * sizeof *block);
    block[0] = 5;
    int count = fathom_range(1, 9, "count");
    if (count > 4) block = realloc(block, (size_t)count * sizeof *block);
    block[0]++;
    if (block[0] != 6) return 1;
    free(block);
    return 0;
}
// expect: exits 0
