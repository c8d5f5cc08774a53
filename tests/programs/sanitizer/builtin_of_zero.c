//@ cc: -fsanitize=builtin
#include <fathom.h>
int main(void) {
    unsigned free_slots = (unsigned)fathom_int("free") & 0xf0;
    return __builtin_ctz(free_slots) > 7; // expect: bug invalid-builtin
}
// expect: exits 0
