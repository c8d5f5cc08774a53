#include <string.h>
int main(void) {
    char a[16], b[8] = "1234567";
    volatile size_t n = 16;
    memcpy(a, b, n); // expect: bug out-of-bounds-read
    return a[0];
}
