#include <klee/klee.h>
int main(void) {
    long x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (klee_get_valuel(x) != x || klee_get_valuell(x) != x || klee_get_value_i64(x) != x) return 9;
    return 0;
}
// expect: exits 0
// expect: not exhaustive
