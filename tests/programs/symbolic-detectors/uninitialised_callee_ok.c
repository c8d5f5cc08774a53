//@ run: --check-uninit
#include <fathom.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
int main(void) {
    int (*f)(void);
    if (fathom_int("x") != 4) f = one;
    else f = two;
    return f();
}
// expect: exits 1 2
