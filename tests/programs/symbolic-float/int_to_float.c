// Not every int is a float.
#include <assert.h>
#include <fathom.h>
int main(void) {
    int x = fathom_range(0, 1 << 25, "x");
    float f = (float)x;
    assert((int)f == x); // expect: bug assertion
    return 0;
}
