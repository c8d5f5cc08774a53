// Every int is a double: proved.
#include <assert.h>
#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    double d = x;
    assert((int)d == x);
    return 0;
}
// expect: paths 1
