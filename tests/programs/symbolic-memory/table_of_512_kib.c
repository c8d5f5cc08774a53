#include <assert.h>
#include <fathom.h>
static unsigned char table[512 << 10];
int main(void) {
    table[0x5a5a5] = 7;
    unsigned i = fathom_int("i");
    i &= sizeof table - 1;
    if (table[i] == 7) {
        assert(i == 0x5a5a5);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
// expect: paths 2
