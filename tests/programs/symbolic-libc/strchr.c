#include <fathom.h>
#include <string.h>
int main(void) {
    char s[4];
    fathom_make_symbolic(s, sizeof s, "s");
    s[3] = 0;
    char *at = strchr(s, ':');
    if (!at) return 9;
    switch (at - s) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: return 8;
    }
}
// expect: exits 0 1 2 9
