// What a function still holds when it calls exit is not lost, and neither is the middle of it.
//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
static void leave(char *middle, int status) {
    middle[1] = 1;
    exit(status);
}
int main(void) {
    char *block = malloc(16);
    int x = fathom_int("x");
    block += 8;
    if (x == 3) leave(block, 2);
    free(block - 8);
    return 0;
}
// expect: exits 0 2
