// A preference that cannot be met is no constraint.
#include <klee/klee.h>
int main(void) {
    int x = klee_int("x");
    klee_prefer_cex(&x, x == 2);
    if (x > 5) klee_abort(); // expect: bug abort
    return 0;
}
// expect: exits 0
