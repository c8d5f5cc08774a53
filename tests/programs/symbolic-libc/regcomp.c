#include <assert.h>
#include <fathom.h>
#include <regex.h>
int main(void) {
    char s[3];
    fathom_make_symbolic(s, sizeof s, "s");
    s[2] = 0;
    regex_t re;
    if (regcomp(&re, "^[a-c]x$", REG_EXTENDED | REG_NOSUB)) return 9;
    if (!regexec(&re, s, 0, NULL, 0)) {
        assert(s[0] >= 'a' && s[0] <= 'c' && s[1] == 'x');
        return 1;
    }
    return 0;
}
// expect: exits 0 1
