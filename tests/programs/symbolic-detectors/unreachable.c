#include <fathom.h>
int main(void) {
    switch (fathom_int("x") & 3) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: __builtin_unreachable(); // expect: bug unreachable
    }
}
// expect: exits 0 1 2
