//@ cc: -fsanitize=unreachable
#include <fathom.h>
static int f(int x) {
    if (x > 3) return 1;
    __builtin_unreachable(); // expect: bug unreachable
}
int main(void) { return f(fathom_range(0, 9, "x")); }
// expect: exits 1
