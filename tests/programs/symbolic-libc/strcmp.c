#include <fathom.h>
#include <string.h>
int main(void) {
    char s[6];
    fathom_make_symbolic(s, sizeof s, "s");
    s[5] = 0;
    if (!strcmp(s, "klee")) return 1;
    if (strncmp(s, "fat", 3) == 0) return 2;
    return 0;
}
// expect: exits 0 1 2
