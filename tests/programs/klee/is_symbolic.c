#include <klee/klee.h>
int main(void) {
    int x = klee_int("x");
    if (klee_is_replay()) return x == 5;
    if (!klee_is_symbolic((uintptr_t)x) || klee_is_symbolic(7)) return 9;
    if (x == 5) return 1;
    return 0;
}
// expect: exits 0 1
