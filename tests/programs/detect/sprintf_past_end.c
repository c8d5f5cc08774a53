#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(6);
    sprintf(p, "%d", 123456); // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
