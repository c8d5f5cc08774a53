#include <fathom.h>
#include <stdlib.h>
static int order(const void *a, const void *b) {
    unsigned char x = *(unsigned char *)a, y = *(unsigned char *)b;
    return (x > y) - (x < y);
}
int main(void) {
    unsigned char a[3];
    fathom_make_symbolic(a, sizeof a, "a");
    qsort(a, 3, 1, order);
    if (a[0] > a[1] || a[1] > a[2]) return 9;
    if (a[0] == a[2]) return 1;
    return 0;
}
// expect: exits 0 1
