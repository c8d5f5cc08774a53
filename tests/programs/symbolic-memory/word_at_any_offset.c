#include <assert.h>
#include <fathom.h>
#include <string.h>
int main(void) {
    unsigned char bytes[16];
    for (int i = 0; i < 16; i++) bytes[i] = (unsigned char)(i * 17);
    int i = fathom_range(0, 13, "i");
    unsigned word;
    memcpy(&word, bytes + i, 4);
    if (word == 0x99887766u) {
        assert(i == 6);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
// expect: paths 2
