#include <stdlib.h>
int main(void) {
    char *p = malloc(3), *q = p;
    free(p);
    free(q); // expect: bug double-free
    return 0;
}
