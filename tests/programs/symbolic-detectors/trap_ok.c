#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    if ((x | 1) == 8) __builtin_trap();
    return 0;
}
// expect: exits 0
