// A function's address and the one behind it.
#include <fathom.h>
static int one(void) { return 1; }
int main(void) {
    int (*f)(void) = one;
    unsigned long skew;
    fathom_make_symbolic(&skew, sizeof skew, "skew");
    f = (int (*)(void))((char *)f + (skew & 1));
    return f(); // expect: bug invalid-call
}
// expect: exits 1
