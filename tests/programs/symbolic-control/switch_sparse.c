#include <fathom.h>
int main(void) {
    long x;
    fathom_make_symbolic(&x, sizeof x, "x");
    switch (x) {
    case -1: return 1;
    case 1000: return 2;
    case 0x7fffffffffffffff: return 3;
    case 5 ... 9: return 4;
    }
    return 0;
}
// expect: exits 0 1 2 3 4
// expect: covered
