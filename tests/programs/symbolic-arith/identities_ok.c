#include <assert.h>
#include <fathom.h>
int main(void) {
    unsigned a = fathom_int("a"), b = fathom_int("b");
    assert((a ^ b) == ((a | b) & ~(a & b)));
    assert((a + b) == (a ^ b) + 2 * (a & b));
    assert(-a == ~a + 1);
    assert((a & b) + (a | b) == a + b);
    return 0;
}
// expect: paths 1
