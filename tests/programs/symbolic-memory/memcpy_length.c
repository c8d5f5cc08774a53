#include <fathom.h>
#include <string.h>
int main(void) {
    char from[8] = "1234567", to[4];
    int n = fathom_range(0, 6, "n");
    memcpy(to, from, (size_t)n); // expect: bug out-of-bounds-write
    return 0;
}
// expect: input n=5
// expect: exits 0
