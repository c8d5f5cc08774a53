// Merging is not needed to be right: both sides are followed.
#include <klee/klee.h>
int main(void) {
    int x = klee_int("x"), y;
    klee_open_merge();
    if (x > 0) y = 1;
    else y = 2;
    klee_close_merge();
    klee_merge();
    if (y == 1) return 1;
    return 2;
}
// expect: exits 1 2
