// The loop fills one element less than is summed up.
//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    int n = fathom_range(1, 4, "n");
    short *p = malloc(4 * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = (short)i;
    int sum = 0, large = 0;
    for (int i = 0; i < 3; i++) sum += p[i];
    free(p);
    if (sum > 2) large++; // expect: bug uninitialised-read
    return large > 1;
}
