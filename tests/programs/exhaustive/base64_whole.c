// A whole group of three bytes and four digits: no padding.
#include <assert.h>
#include <fathom.h>
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static unsigned char back[256];
int main(void) {
    for (int i = 0; i < 64; i++) back[(unsigned char)digits[i]] = (unsigned char)i;
    unsigned char in[3];
    fathom_make_symbolic(in, sizeof in, "in");
    unsigned bits = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2], again = 0;
    for (int i = 18; i >= 0; i -= 6) again = again << 6 | back[(unsigned char)digits[bits >> i & 63]];
    assert(again == bits);
    return 0;
}
// expect: paths 1
// expect: covered
