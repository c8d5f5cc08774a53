#include <fathom.h>
#include <string.h>
int main(void) {
    char a[16] = "0123456789";
    unsigned n = fathom_int("n");
    if (n > 8) return 1;
    memmove(a + 1, a, n);
    if (n == 8 && a[8] != '7') return 2;
    return 0;
}
// expect: exits 0 1
