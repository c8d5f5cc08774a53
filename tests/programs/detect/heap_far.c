#include <stdlib.h>
int main(void) {
    char *p = malloc(100), *q = malloc(100);
    volatile long far = 1000000;
    p[far] = 1; // expect: bug out-of-bounds-write
    free(p);
    free(q);
    return 0;
}
