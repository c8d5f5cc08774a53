#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(10);
    memset(p, 1, 10);
    long v = *(long *)(p + 3); // expect: bug out-of-bounds-read
    free(p);
    return (int)v;
}
