//@ run: --check-uninit
#include <fathom.h>
static int known = 1;
int main(void) {
    int *p;
    int x = fathom_int("x");
    if (x != 1) p = &known;
    return x == 1 ? 2 : *p;
}
// expect: exits 1 2
