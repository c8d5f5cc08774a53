// The second call finds what the first has left in its place.
//@ run: --check-uninit
#include <fathom.h>
static int step(int first) {
    int state[3], seen = 0;
    if (first) state[1] = 5;
    if (state[1] == 5) seen++; // expect: bug uninitialised-read
    return seen;
}
int main(void) {
    step(1);
    return step(fathom_int("x") == 2) > 2;
}
