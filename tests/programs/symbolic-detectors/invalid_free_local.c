#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char local[8], *p = malloc(8);
    char *q = fathom_int("x") == 5 ? local : p;
    free(q); // expect: bug invalid-free
    return 0;
}
// expect: input x=5
