#include <fathom.h>
#include <stdarg.h>
static double second(int n, ...) {
    va_list list;
    va_start(list, n);
    (void)va_arg(list, double);
    double value = va_arg(list, double);
    va_end(list);
    return value;
}
int main(void) {
    double x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (second(2, 1.0, x) == 2.5) return 1;
    return 0;
}
// expect: exits 0 1
