#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char start[4], *buffer = start;
    unsigned size = fathom_int("size") & 7;
    if (size > 4) buffer = malloc(8);
    buffer = realloc(buffer == start ? NULL : buffer, 16);
    free(buffer);
    return 0;
}
// expect: exits 0
