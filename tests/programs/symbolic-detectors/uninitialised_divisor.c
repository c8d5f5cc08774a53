//@ run: --check-uninit
//@ native: skip
#include <fathom.h>
int main(void) {
    int parts;
    if (fathom_int("x") != 1) parts = 7;
    int share = 35 / parts; // expect: bug division-by-zero
    return share == 36;
}
// fixme: bug uninitialised-read, and native: compare; the divisor is solved for, but is no input
