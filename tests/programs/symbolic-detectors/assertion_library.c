// The library's sorting is given an order that is none.
#include <assert.h>
#include <fathom.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
    return *(const signed char *)a > *(const signed char *)b;
}
int main(void) {
    signed char a[3];
    fathom_make_symbolic(a, 3, "a");
    qsort(a, 3, 1, compare);
    assert(a[0] <= a[1] && a[1] <= a[2]); // expect: bug assertion
    return 0;
}
