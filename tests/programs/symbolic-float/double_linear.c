#include <fathom.h>
int main(void) {
    double x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (x * 2.0 + 1.0 == 8.0) return 1;
    return 0;
}
// expect: exits 0 1
// expect: paths 2
