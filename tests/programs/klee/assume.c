#include <klee/klee.h>
int main(void) {
    unsigned x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 10);
    klee_assume(x < 13);
    if (x == 11) return 1;
    if (x == 12) return 2;
    return 9;
}
// expect: exits 1 2
// expect: paths 2
