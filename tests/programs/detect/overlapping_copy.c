#include <string.h>
int main(void) {
    char a[32] = "0123456789abcdef";
    memcpy(a + 2, a, 10); // expect: bug overlapping-copy
    return a[5];
}
