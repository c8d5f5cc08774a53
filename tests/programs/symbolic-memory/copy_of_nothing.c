// A copy of no bytes touches none: its pointers may stand right behind their objects.
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *block = malloc(4), *other = malloc(4);
    memset(block, 'x', 4);
    memset(other, 'y', 4);
    unsigned at = fathom_int("at");
    if (at > 4) return 1;
    memcpy(other, block + at, 4 - at);
    memmove(other + at, block + at, 0);
    memset(block + at, 'z', 4 - at);
    int same = other[0] == 'x';
    free(block);
    free(other);
    return same ? 0 : 2;
}
// expect: exits 0 1 2
