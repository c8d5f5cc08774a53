//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
static int fill(char *block, int x) {
    block[0] = 1;
    return x == 41 ? -1 : 0;
}
int main(void) {
    char *block = malloc(24);
    if (fill(block, fathom_int("x")) < 0) {
        free(block);
        block = NULL;
        return 1;
    }
    free(block);
    return 0;
}
// expect: exits 0 1
