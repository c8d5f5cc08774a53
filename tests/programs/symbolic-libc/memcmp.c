#include <assert.h>
#include <fathom.h>
#include <string.h>
int main(void) {
    char s[4];
    fathom_make_symbolic(s, sizeof s, "s");
    int order = memcmp(s, "\177ELF", 4);
    if (order == 0) {
        assert(s[0] == 127);
        return 1;
    }
    if (order < 0) return 2;
    return 3;
}
// expect: exits 1 2 3
