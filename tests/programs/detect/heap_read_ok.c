#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *p = calloc(4, sizeof *p);
    volatile int i = 3;
    printf("%d %d\n", p[i], p + 4 > p);
    free(p);
    return 0;
}
