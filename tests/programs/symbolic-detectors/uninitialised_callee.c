//@ run: --check-uninit
//@ native: skip
#include <fathom.h>
static int one(void) { return 1; }
int main(void) {
    int (*f)(void);
    if (fathom_int("x") != 4) f = one;
    return f(); // expect: bug invalid-call
}
// fixme: bug uninitialised-read, exhaustive; the function is solved for
// expect: not exhaustive
// expect: ledger more than 64 values of a function pointer
