#include <assert.h>
#include <fathom.h>
int main(void) {
    int a[8] = {0};
    int i = fathom_range(0, 8, "i"), j = fathom_range(0, 8, "j");
    a[i] = 5;
    a[j] = 6;
    assert(a[j] == 6);
    assert(a[i] == (i == j ? 6 : 5));
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += a[k];
    assert(sum == 11 || sum == 6);
    if (sum == 6) return 1;
    return 0;
}
// expect: exits 0 1
