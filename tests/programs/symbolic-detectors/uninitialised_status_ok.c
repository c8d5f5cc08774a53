//@ run: --check-uninit
#include <fathom.h>
int main(void) {
    unsigned char status = 4;
    if (fathom_int("x") < 100) status = 3;
    return status;
}
// expect: exits 3 4
