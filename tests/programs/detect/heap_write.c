#include <stdlib.h>
int main(void) {
    char *p = malloc(10);
    for (int i = 0; i <= 10; i++)
        p[i] = 'x'; // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
