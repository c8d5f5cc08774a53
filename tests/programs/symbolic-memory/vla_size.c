#include <fathom.h>
int main(void) {
    int n = fathom_range(1, 6, "n");
    char a[n];
    a[n - 1] = 1;
    a[3] = 2; // expect: bug out-of-bounds-write
    return 0;
}
// expect: exits 0
