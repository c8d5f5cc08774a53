#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(3);
    free(p);
    p = NULL;
    free(p);
    p = malloc(3);
    free(p);
    puts("fine");
    return 0;
}
