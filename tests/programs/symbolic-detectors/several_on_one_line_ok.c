#include <fathom.h>
int main(void) {
    char a[4] = {1, 1, 1, 0};
    int i = fathom_range(0, 4, "i"), n = fathom_range(2, 32, "n");
    return a[i] ? 0 : 1 / (n - 1) + (1 << n) != 7;
}
// expect: exits 0 1
