#include <fathom.h>
int main(void) {
    switch (fathom_int("x") & 2) {
    case 0: return 0;
    case 2: return 2;
    default: __builtin_unreachable();
    }
}
// expect: exits 0 2
