//@ run: --check-uninit
#include <fathom.h>
int main(void) {
    int parts;
    if (fathom_int("x") == 1) return 1;
    parts = 7;
    int share = 35 / parts;
    return share == 36;
}
// expect: exits 0 1
