#include <assert.h>
#include <fathom.h>
#include <stdlib.h>
static int order(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (x < y) return -1;
    if (x > y) return 1;
    return 0;
}
int main(void) {
    int a[4], sum = 0, after = 0;
    fathom_make_symbolic(a, sizeof a, "a");
    for (int i = 0; i < 4; i++) sum ^= a[i];
    qsort(a, 4, sizeof *a, order);
    for (int i = 0; i < 4; i++) after ^= a[i];
    assert(sum == after);
    for (int i = 1; i < 4; i++) assert(a[i - 1] <= a[i]);
    return 0;
}
// expect: exits 0
// expect: covered
