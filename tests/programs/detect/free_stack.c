#include <stdlib.h>
int main(void) {
    char a[16], *volatile p = a;
    free(p); // expect: bug invalid-free
    return 0;
}
