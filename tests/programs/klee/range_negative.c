#include <klee/klee.h>
int main(void) {
    int a = klee_range(-3, 2, "a");
    if (a < -3 || a > 1) return 9;
    if (a < 0) return 1;
    return 0;
}
// expect: exits 0 1
