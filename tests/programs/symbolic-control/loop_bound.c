#include <fathom.h>
int main(void) {
    unsigned n = fathom_int("n"), sum = 0;
    if (n > 5) return 99;
    for (unsigned i = 0; i < n; i++) sum += i;
    switch (sum) {
    case 0: return 0;
    case 1: return 1;
    case 3: return 3;
    case 6: return 6;
    case 10: return 10;
    default: return 98;
    }
}
// expect: exits 0 1 3 6 10 99
