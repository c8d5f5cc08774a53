// What is encoded decodes to itself.
#include <assert.h>
#include <fathom.h>
#include <string.h>
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static void encode(const unsigned char *in, unsigned n, char *out) {
    for (; n >= 3; in += 3, n -= 3) {
        *out++ = digits[in[0] >> 2];
        *out++ = digits[(in[0] & 3) << 4 | in[1] >> 4];
        *out++ = digits[(in[1] & 15) << 2 | in[2] >> 6];
        *out++ = digits[in[2] & 63];
    }
    if (n) {
        *out++ = digits[in[0] >> 2];
        *out++ = digits[(in[0] & 3) << 4 | (n > 1 ? in[1] >> 4 : 0)];
        *out++ = n > 1 ? digits[(in[1] & 15) << 2] : '=';
        *out++ = '=';
    }
    *out = 0;
}
static int value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : 63;
}
static unsigned decode(const char *in, unsigned char *out) {
    unsigned n = 0;
    for (; *in; in += 4) {
        int a = value(in[0]), b = value(in[1]);
        out[n++] = (unsigned char)(a << 2 | b >> 4);
        if (in[2] == '=') break;
        int c = value(in[2]);
        out[n++] = (unsigned char)(b << 4 | c >> 2);
        if (in[3] == '=') break;
        out[n++] = (unsigned char)(c << 6 | value(in[3]));
    }
    return n;
}
int main(void) {
    unsigned char in[2], out[4];
    char text[9];
    unsigned n = (unsigned)fathom_range(0, 3, "n");
    fathom_make_symbolic(in, sizeof in, "in");
    encode(in, n, text);
    assert(decode(text, out) == n);
    assert(!memcmp(in, out, n));
    return 0;
}
// expect: exits 0
