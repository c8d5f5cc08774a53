// %d of any int, against a plain one.
#include <assert.h>
#include <fathom.h>
#include <stdio.h>
#include <string.h>
static char *plain(int x, char *end) {
    unsigned value = x < 0 ? -(unsigned)x : (unsigned)x;
    *--end = 0;
    do *--end = (char)('0' + value % 10);
    while (value /= 10);
    if (x < 0) *--end = '-';
    return end;
}
int main(void) {
    short x;
    char a[12], b[12];
    fathom_make_symbolic(&x, sizeof x, "x");
    snprintf(a, sizeof a, "%d", x);
    assert(!strcmp(a, plain(x, b + sizeof b)));
    return 0;
}
// expect: exits 0
// expect: covered
