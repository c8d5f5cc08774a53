//@ run: --check-uninit
#include <fathom.h>
static int step(int first) {
    static int state[3];
    if (first) state[1] = 5;
    if (state[1] == 5) return 1;
    return 0;
}
int main(void) {
    step(1);
    return step(fathom_int("x") == 2) > 1;
}
// expect: exits 0
