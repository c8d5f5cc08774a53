#include <fathom.h>
static int one(void) { return 1; }
int main(void) {
    int (*f)(void) = one;
    unsigned long skew;
    fathom_make_symbolic(&skew, sizeof skew, "skew");
    if (skew & 1) return 2;
    f = (int (*)(void))((char *)f + (skew & 1));
    return f();
}
// expect: exits 1 2
