// LEB128: encoded and decoded.
#include <assert.h>
#include <fathom.h>
#include <stdint.h>
static int encode(uint32_t value, unsigned char *out) {
    int n = 0;
    while (value >= 0x80) {
        out[n++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    out[n++] = (unsigned char)value;
    return n;
}
static int decode(const unsigned char *in, uint32_t *value) {
    int n = 0;
    *value = 0;
    do *value |= (uint32_t)(in[n] & 0x7f) << (7 * n);
    while (in[n++] & 0x80);
    return n;
}
int main(void) {
    uint32_t value = (uint32_t)fathom_int("value"), again;
    unsigned char bytes[5];
    int n = encode(value, bytes);
    assert(n <= 5);
    assert(decode(bytes, &again) == n);
    assert(again == value);
    return 0;
}
// expect: paths 5
// expect: covered
