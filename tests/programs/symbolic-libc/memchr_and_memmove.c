#include <fathom.h>
#include <string.h>
int main(void) {
    char s[4];
    fathom_make_symbolic(s, sizeof s, "s");
    char *at = memchr(s, '\n', 4);
    if (!at) return 9;
    memmove(s, at + 1, (size_t)(s + 4 - at - 1));
    if (at == s + 1 && s[0] == 'x' && s[1] == 'y') return 1;
    return 0;
}
// expect: exits 0 1 9
