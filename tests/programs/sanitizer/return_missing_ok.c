//@ cc: -fsanitize=unreachable
#include <fathom.h>
static int f(int x) {
    if (x > 3) return 1;
    __builtin_unreachable();
}
int main(void) {
    int x = fathom_range(0, 9, "x");
    return x * x > 9 ? f(x) : 0;
}
// expect: exits 0 1
