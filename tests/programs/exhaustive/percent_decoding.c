#include <assert.h>
#include <fathom.h>
static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}
static int decode(const char *in, char *out) {
    int n = 0;
    while (*in) {
        if (*in != '%') {
            out[n++] = *in == '+' ? ' ' : *in;
            in++;
            continue;
        }
        int high = hex(in[1]), low = high < 0 ? -1 : hex(in[2]);
        if (low < 0) return -1;
        out[n++] = (char)(high << 4 | low);
        in += 3;
    }
    return n;
}
int main(void) {
    char in[5], out[4];
    fathom_make_symbolic(in, sizeof in, "in");
    in[4] = 0;
    int n = decode(in, out);
    if (n < 0) return 1;
    assert(n <= 4);
    return 0;
}
// expect: exits 0 1
// expect: covered
