//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 4, "n");
    short *p = malloc(4 * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = (short)i;
    int sum = 0;
    for (int i = 0; i < n; i++) sum += p[i];
    free(p);
    if (sum > 2) return 1;
    return 0;
}
// expect: exits 0 1
