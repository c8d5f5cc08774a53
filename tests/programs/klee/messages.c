// They print, and change nothing.
#include <klee/klee.h>
int main(void) {
    int x = klee_range(0, 9, "x");
    klee_warning("one");
    for (int i = 0; i < 3; i++) klee_warning_once("two");
    klee_print_expr("x is", x);
    klee_print_range("x", x);
    klee_stack_trace();
    if (x == 4) return 1;
    return 0;
}
// expect: exits 0 1
// expect: paths 2
