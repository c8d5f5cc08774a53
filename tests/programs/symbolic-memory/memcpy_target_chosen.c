#include <fathom.h>
#include <string.h>
int main(void) {
    char small[4] = {0}, large[8] = {0}, *target[2] = {small, large};
    int i = fathom_range(0, 2, "i"), n = fathom_range(0, 9, "n");
    memcpy(target[i], "12345678", (size_t)n); // expect: bug out-of-bounds-write
    return 0;
}
// expect: input i=0
// expect: exits 0
