#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    fathom_print("x is", x);
    fathom_warning("careful");
    if (x == 6) return 1;
    return 0;
}
// expect: exits 0 1
