// The freed block is reached through a symbolic index into a table of pointers.
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *blocks[3];
    for (int i = 0; i < 3; i++) blocks[i] = calloc(4, 1);
    free(blocks[1]);
    char *p = blocks[fathom_range(0, 3, "i")];
    return p[0]; // expect: bug use-after-free
}
// expect: input i=1
// expect: exits 0
