// Strings of up to four characters that addresses are made of.
#include <arpa/inet.h>
#include <assert.h>
#include <fathom.h>
int main(void) {
    char s[5];
    struct in_addr address = {0};
    fathom_make_symbolic(s, sizeof s, "s");
    s[4] = 0;
    for (int i = 0; i < 4 && s[i]; i++)
        if (s[i] != '.' && (s[i] < '0' || s[i] > '9')) return 2;
    if (!inet_aton(s, &address)) return 1;
    assert(s[0] != '.');
    return 0;
}
// expect: exits 0 1 2
// expect: covered
