#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(10);
    memset(p, 1, 10);
    long v;
    memcpy(&v, p + 2, 8);
    printf("%lx\n", v);
    free(p);
    return 0;
}
