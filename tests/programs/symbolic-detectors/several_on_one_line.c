// Each of the three is found, and the rest goes on.
#include <fathom.h>
int main(void) {
    char a[4] = {1, 1, 1, 0};
    int i = fathom_range(0, 6, "i"), n = fathom_range(0, 33, "n");
    return a[i] ? 0 : 1 / (n - 1) + (1 << n) != 7; // expect: bug out-of-bounds-read division-by-zero shift-overflow
}
// expect: exits 0 1
