#include <fathom.h>
#include <string.h>
int main(void) {
    char small[4] = {0}, large[8] = {0}, *target[2] = {small, large};
    int i = fathom_range(0, 2, "i"), n = fathom_range(0, 9, "n");
    if (n > 4 * (i + 1)) return 1;
    memcpy(target[i], "12345678", (size_t)n);
    if (n && target[i][n - 1] != '0' + n) return 2;
    return 0;
}
// expect: exits 0 1
