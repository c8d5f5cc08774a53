// A table made by the program, read at a symbolic index, four times.
#include <fathom.h>
#include <stdint.h>
static uint32_t table[256];
int main(void) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[n] = c;
    }
    unsigned char text[4];
    fathom_make_symbolic(text, sizeof text, "text");
    uint32_t crc = ~0u;
    for (int i = 0; i < 4; i++) crc = table[(crc ^ text[i]) & 255] ^ crc >> 8;
    if (~crc == 0x9be3e0a3u) return 1;
    return 0;
}
// expect: exits 0 1
// expect: paths 2
