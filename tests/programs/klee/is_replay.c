#include <klee/klee.h>
int main(void) {
    int x = klee_int("x");
    if (klee_is_replay()) return x == 5 ? 1 : 0;
    if (x == 5) return 1;
    return 0;
}
// expect: exits 0 1
