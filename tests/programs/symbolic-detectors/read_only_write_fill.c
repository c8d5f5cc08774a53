// All of a constant table is cleared, or a part of it.
#include <fathom.h>
#include <string.h>
static const long limits[2] = {5, 6};
int main(void) {
    unsigned char n;
    fathom_make_symbolic(&n, 1, "n");
    if (n > sizeof limits) return 1;
    memset((void *)limits, 0, n); // expect: bug read-only-write
    if (limits[0] != 5) return 2;
    return 0;
}
// expect: exits 0 1
