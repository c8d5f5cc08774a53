#include <stdio.h>
static void fill(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
}
int main(void) {
    int before = 1, a[8], after = 2;
    fill(a, 8);
    printf("%d %d %d\n", a[7], before, after);
    return 0;
}
