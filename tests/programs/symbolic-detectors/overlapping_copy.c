#include <fathom.h>
#include <string.h>
int main(void) {
    char a[16] = "0123456789";
    unsigned n = fathom_int("n");
    if (n > 5) return 1;
    memcpy(a, a + 4, n); // expect: bug overlapping-copy
    return 0;
}
// expect: input n=5
// expect: exits 0 1
