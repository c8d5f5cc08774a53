#include <fathom.h>
#include <stdio.h>
int main(void) {
    char s[5];
    fathom_make_symbolic(s, sizeof s, "s");
    s[4] = 0;
    int a, b;
    switch (sscanf(s, "%d,%d", &a, &b)) {
    case 2:
        if (a == 7 && b == 9) return 3;
        return 2;
    case 1: return 1;
    case 0: return 0;
    default: return 4;
    }
}
// expect: exits 0 1 2 3 4
