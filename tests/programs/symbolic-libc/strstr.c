#include <assert.h>
#include <fathom.h>
#include <string.h>
int main(void) {
    char s[5];
    fathom_make_symbolic(s, sizeof s, "s");
    s[4] = 0;
    char *at = strstr(s, "ab");
    if (!at) return 9;
    if (at == s) return 0;
    if (at == s + 1) return 1;
    assert(at == s + 2);
    return 2;
}
// expect: exits 0 1 2 9
