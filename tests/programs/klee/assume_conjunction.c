// && in an assumption forks before it is one; the false sides end without a test.
#include <klee/klee.h>
int main(void) {
    int x = klee_int("x");
    klee_assume(x > 3 && x < 9);
    if (x == 20) return 9;
    return 0;
}
// expect: exits 0
