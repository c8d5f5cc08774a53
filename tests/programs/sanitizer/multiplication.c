//@ cc: -fsanitize=signed-integer-overflow
#include <fathom.h>
int main(void) {
    short x;
    fathom_make_symbolic(&x, sizeof x, "x");
    int y = x * 70000; // expect: bug signed-overflow
    return y == 1;
}
// expect: exits 0
