#include <klee/klee.h>
static int g;
int main(void) {
    klee_mark_global(&g);
    g = klee_int("x");
    if (g == 4) return 1;
    return 0;
}
// expect: exits 0 1
