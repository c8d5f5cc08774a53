#include <assert.h>
#include <fathom.h>
#include <stdint.h>
union view { uint32_t word; uint16_t half[2]; uint8_t byte[4]; float real; };
int main(void) {
    union view v;
    fathom_make_symbolic(&v, sizeof v, "v");
    if (v.byte[0] == 0x78 && v.byte[1] == 0x56 && v.half[1] == 0x1234) {
        assert(v.word == 0x12345678);
        return 1;
    }
    if (v.real == 1.0f) {
        assert(v.word == 0x3f800000);
        return 2;
    }
    return 0;
}
// expect: exits 0 1 2
