#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char a[4] = "abc", *b = malloc(6);
    memcpy(b, "abc\0de", 6);
    int n = fathom_range(0, 5, "n");
    if (memcmp(a, b, (size_t)n)) return 1;
    return 0;
}
// expect: exits 0
