// A slot of a hash table that may have none.
#include <fathom.h>
static unsigned slot(unsigned hash, unsigned slots) {
    return hash % slots; // expect: bug division-by-zero
}
int main(void) {
    unsigned bits = fathom_int("bits");
    if (slot(fathom_int("hash"), 1u << 4 >> (bits & 7)) >= 16) return 1;
    return 0;
}
// expect: exits 0
