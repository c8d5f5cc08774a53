#include <fathom.h>
#include <string.h>
int main(void) {
    char a[16] = "0123456789";
    unsigned n = fathom_int("n");
    if (n > 4) return 1;
    memcpy(a, a + 4, n);
    return 0;
}
// expect: exits 0 1
