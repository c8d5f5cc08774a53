#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(10);
    for (int i = 0; i < 10; i++) p[i] = (char)('a' + i);
    printf("%.10s\n", p);
    free(p);
    return 0;
}
