#include <stdlib.h>
static char a[16];
int main(void) {
    char *volatile p = a;
    free(p); // expect: bug invalid-free
    return 0;
}
