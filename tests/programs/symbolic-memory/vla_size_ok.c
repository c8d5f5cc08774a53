#include <fathom.h>
int main(void) {
    int n = fathom_range(1, 6, "n");
    char a[n];
    for (int i = 0; i < n; i++) a[i] = 1;
    if (a[n - 1] != 1) return 1;
    return 0;
}
// expect: exits 0
