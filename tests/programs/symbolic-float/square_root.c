#include <fathom.h>
#include <math.h>
int main(void) {
    double x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (sqrt(x) == 3.0) return 1;
    return 0;
}
// expect: exits 0 1
