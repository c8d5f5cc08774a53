#include <assert.h>
#include <fathom.h>
int main(void) {
    float f;
    fathom_make_symbolic(&f, sizeof f, "f");
    double d = f;
    assert((float)d == f || f != f);
    if (d == 0.1) return 9;
    if (d == 0.5) return 1;
    return 0;
}
// expect: exits 0 1
