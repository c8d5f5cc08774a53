#include <assert.h>
#include <fathom.h>
static unsigned char table[512 << 10];
int main(void) {
    unsigned i = fathom_int("i");
    i &= sizeof table - 1;
    table[i] = 7;
    if (table[77]) {
        assert(i == 77);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
// expect: paths 2
