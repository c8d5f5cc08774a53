#include <string.h>
int main(void) {
    char a[8];
    volatile size_t n = 9;
    memset(a, 0, n); // expect: bug out-of-bounds-write
    return a[0];
}
