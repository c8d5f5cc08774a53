#include <assert.h>
#include <ctype.h>
#include <fathom.h>
int main(void) {
    unsigned char c;
    fathom_make_symbolic(&c, 1, "c");
    if (isalpha(c) && isdigit(c)) return 9;
    if (isupper(c)) {
        assert(tolower(c) == c + 32);
        return 1;
    }
    if (isxdigit(c)) return 2;
    if (isspace(c)) return 3;
    if (ispunct(c)) return 4;
    return 0;
}
// expect: exits 0 1 2 3 4
