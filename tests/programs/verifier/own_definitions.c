// The bodies that SV-COMP programs bring themselves.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { assert(0); } // expect: bug assertion
void __VERIFIER_assert(int condition) {
    if (!condition) { reach_error(); abort(); }
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    if (n > 6) return 0;
    for (unsigned i = 1; i <= n; i++) sum += i;
    __VERIFIER_assert(sum != 15);
    return 0;
}
// expect: input nondet_uint=5
