#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(30), *q = p + 8;
    free(q - 8);
    puts("fine");
    return 0;
}
