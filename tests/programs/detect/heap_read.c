#include <stdlib.h>
int main(void) {
    int *p = calloc(4, sizeof *p);
    volatile int i = 4;
    int v = p[i]; // expect: bug out-of-bounds-read
    free(p);
    return v;
}
