#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char s[4];
    fathom_make_symbolic(s, sizeof s, "s");
    s[3] = 0;
    long v = strtol(s, NULL, 10);
    if (v > 999 || v < -99) return 9;
    if (v == -42) return 1;
    if (v == 123) return 2;
    return 0;
}
// expect: exits 0 1 2
