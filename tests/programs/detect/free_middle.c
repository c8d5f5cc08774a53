#include <stdlib.h>
int main(void) {
    char *p = malloc(30);
    free(p + 8); // expect: bug invalid-free
    return 0;
}
