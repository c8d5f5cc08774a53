// A comparison by difference, as for qsort.
//@ cc: -fsanitize=undefined
#include <fathom.h>
static int compare(const int *a, const int *b) {
    return *a - *b; // expect: bug signed-overflow
}
int main(void) {
    int a = fathom_int("a"), b = fathom_range(0, 2, "b");
    if (compare(&a, &b) < 0) return 1;
    return 0;
}
// expect: input a=-2147483648
// expect: input b=1
// expect: exits 0 1
