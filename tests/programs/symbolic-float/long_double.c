// 80 bits are not followed symbolically: one value, and the ledger says so.
#include <fathom.h>
int main(void) {
    long double x = fathom_int("x");
    if (x * 2 == 10) return 1;
    return 0;
}
// expect: not exhaustive
// expect: ledger floating point in software
