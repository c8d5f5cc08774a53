#include <stdlib.h>
int main(void) {
    char a[16], *volatile p = a;
    p = realloc(p, 20); // expect: bug invalid-free
    return p != 0;
}
