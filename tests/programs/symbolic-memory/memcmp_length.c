#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char a[4] = "abc", *b = malloc(6);
    memcpy(b, "abc\0de", 6);
    int n = fathom_range(0, 6, "n");
    return memcmp(a, b, (size_t)n) == 7; // expect: bug out-of-bounds-read
}
// expect: input n=5
// expect: exits 0
