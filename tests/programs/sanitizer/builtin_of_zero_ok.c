//@ cc: -fsanitize=builtin
#include <fathom.h>
int main(void) {
    unsigned free_slots = (unsigned)fathom_int("free") & 0xf0;
    if (!free_slots) return 2;
    return __builtin_ctz(free_slots) > 7;
}
// expect: exits 0 2
