//@ cc: -fsanitize=vla-bound
#include <fathom.h>
int main(void) {
    int n = fathom_range(0, 4, "n");
    if (n == 0) return 1;
    char a[n];
    a[0] = 1;
    return 0;
}
// expect: exits 0 1
