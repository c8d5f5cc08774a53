#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    volatile int i = -1;
    char c = p[i]; // expect: bug out-of-bounds-read
    free(p);
    return c;
}
