#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(8);
    memcpy(p, "123456789", 9); // expect: bug out-of-bounds-write
    free(p);
    return 0;
}
