#include <klee/klee.h>
int main(void) {
    if (klee_int("x") > 0) klee_silent_exit(0);
    return 3;
}
// expect: exits 3
// expect: tests 1
