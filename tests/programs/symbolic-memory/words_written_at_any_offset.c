#include <assert.h>
#include <fathom.h>
#include <string.h>
int main(void) {
    unsigned char bytes[8] = {0};
    int i = fathom_range(0, 5, "i");
    unsigned word = 0x04030201;
    memcpy(bytes + i, &word, 4);
    int n = 0;
    for (int k = 0; k < 8; k++) n += bytes[k];
    assert(n == 10);
    if (bytes[4] == 4) {
        assert(i == 1);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
