// No input fulfils both: no path comes to its end.
#include <klee/klee.h>
int main(void) {
    int x = klee_int("x");
    klee_assume(x > 10);
    klee_assume(x < 5);
    return 0;
}
// expect: exits
// expect: tests 0
