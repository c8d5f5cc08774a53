#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *old = p;
    p = realloc(p, 100000);
    old[0] = 1; // expect: bug use-after-free
    free(p);
    return 0;
}
