#include <assert.h>
#include <fathom.h>
int main(void) {
    unsigned x = fathom_int("x");
    assert(x * x != 49 || x != 7); // expect: bug assertion
    return 0;
}
// expect: input x=7
// expect: exits 0
