#include <fathom.h>
int main(void) {
    int n = fathom_range(-1, 8, "n");
    if (n < 0) return 2;
    if (256 >> n == 3) return 1;
    return 0;
}
// expect: exits 0 2
