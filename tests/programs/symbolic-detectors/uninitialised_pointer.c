//@ run: --check-uninit
//@ native: skip
#include <fathom.h>
static int known = 1;
int main(void) {
    int *p;
    if (fathom_int("x") != 1) p = &known;
    return *p; // expect: bug uninitialised-read null-dereference
}
// expect: exits 1
