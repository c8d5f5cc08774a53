#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char s[5], *end;
    fathom_make_symbolic(s, sizeof s, "s");
    s[4] = 0;
    long v = strtol(s, &end, 0);
    if (v == 0xfe && *end == 0) return 1;
    return 0;
}
// expect: exits 0 1
