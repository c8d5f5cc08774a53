// A decoder that refuses what is overlong, a surrogate, or too large; then encoded again.
#include <assert.h>
#include <fathom.h>
static int decode(const unsigned char *s, unsigned *code) {
    if (s[0] < 0x80) {
        *code = s[0];
        return 1;
    }
    int n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    *code = s[0] & (0xffu >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    if (n == 3 && *code < 0x800) return 0;
    if (n == 4 && *code < 0x10000) return 0;
    if (*code > 0x10ffff) return 0;
    if (*code >= 0xd800 && *code < 0xe000) return 0;
    return n;
}
static int encode(unsigned code, unsigned char *s) {
    if (code < 0x80) {
        s[0] = (unsigned char)code;
        return 1;
    }
    int n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, code >>= 6) s[i] = (unsigned char)(0x80 | (code & 0x3f));
    s[0] = (unsigned char)(0xf00u >> n | code);
    return n;
}
int main(void) {
    unsigned char s[5], t[4];
    unsigned code;
    fathom_make_symbolic(s, sizeof s, "s");
    s[4] = 0;
    int n = decode(s, &code);
    if (n == 0) return 1;
    assert(encode(code, t) == n);
    for (int i = 0; i < n; i++) assert(s[i] == t[i]);
    return 0;
}
// expect: exits 0 1
// expect: covered
