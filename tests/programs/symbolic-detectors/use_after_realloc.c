// The old address is kept; a block that has not grown is still there.
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int *first = malloc(4 * sizeof *first), *block = first;
    first[0] = 5;
    int count = fathom_range(1, 9, "count");
    if (count > 4) block = realloc(block, (size_t)count * sizeof *block);
    first[0]++; // expect: bug use-after-free
    if (block[0] != 6) return 1;
    return 0;
}
// expect: exits 0
