#include <fathom.h>
int main(void) {
    switch (fathom_int("x")) {
    case 0: return 10;
    case 1: return 11;
    case 2:
    case 3: return 12;
    case 4: return 13;
    default: return 1;
    }
}
// expect: exits 1 10 11 12 13
// expect: covered
