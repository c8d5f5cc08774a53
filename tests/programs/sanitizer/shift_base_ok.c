//@ cc: -fsanitize=shift
#include <fathom.h>
int main(void) {
    int n = fathom_range(0, 30, "n");
    return (3 << n) == 7;
}
// expect: exits 0
