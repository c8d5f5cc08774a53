#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    fathom_assume(x > 100);
    fathom_prefer(x == 4321);
    fathom_assert(x < 200); // expect: bug assertion
    return 0;
}
// expect: input x=4321
// expect: exits 0
