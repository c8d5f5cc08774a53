#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char s[4];
    fathom_make_symbolic(s, sizeof s, "s");
    s[3] = 0;
    for (int i = 0; i < 3; i++)
        if ((s[i] < '0' || s[i] > '9') && s[i] != '.') return 5;
    double d = strtod(s, NULL);
    if (d == 2.5) return 1;
    if (d < 0) return 9;
    return 0;
}
// expect: exits 0 1 5
// expect: not exhaustive
// fixme: exhaustive; musl computes with long double, which is given one value
