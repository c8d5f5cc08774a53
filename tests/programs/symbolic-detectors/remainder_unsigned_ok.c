#include <fathom.h>
static unsigned slot(unsigned hash, unsigned slots) {
    return hash % slots;
}
int main(void) {
    unsigned bits = fathom_int("bits");
    if (slot(fathom_int("hash"), 1u << 7 >> (bits & 7)) >= 128) return 1;
    return 0;
}
// expect: exits 0
