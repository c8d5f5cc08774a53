// One value, which the path then keeps: the others are lost, and the ledger says so.
#include <klee/klee.h>
int main(void) {
    int x = klee_range(0, 100, "x");
    int v = klee_get_value_i32(x);
    if (v != x) return 9;
    return 0;
}
// expect: exits 0
// expect: paths 1
// expect: not exhaustive
// expect: ledger a value the program asked for
