// Without forking one side is followed and the other is left, as was asked for.
#include <klee/klee.h>
int main(void) {
    int x = klee_int("x"), y = klee_int("y"), n = 0;
    klee_set_forking(0);
    if (x > 5) n++;
    klee_set_forking(1);
    if (y > 5) n++;
    return n > 9;
}
// expect: paths 2
