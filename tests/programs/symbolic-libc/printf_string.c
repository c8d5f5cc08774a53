#include <assert.h>
#include <fathom.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char s[3], text[8];
    fathom_make_symbolic(s, sizeof s, "s");
    s[2] = 0;
    sprintf(text, "<%s>", s);
    if (!strcmp(text, "<%n>")) return 1;
    if (text[1] == '>' && text[2]) {
        assert(text[1] == s[0]);
        return 2;
    }
    return 0;
}
// expect: exits 0 1 2
