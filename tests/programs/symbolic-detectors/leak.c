// The block is lost when the second step fails.
//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
static int fill(char *block, int x) {
    block[0] = 1;
    return x == 41 ? -1 : 0;
}
int main(void) {
    char *block = malloc(24); // expect: bug leak
    if (fill(block, fathom_int("x")) < 0) {
        block = NULL;
        return 1;
    }
    free(block);
    return 0;
}
// expect: input x=41
