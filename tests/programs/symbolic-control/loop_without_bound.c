// The loop never ends for all inputs: a limit ends the run, and says so.
//@ run: --max-instructions 200000
#include <fathom.h>
int main(void) {
    unsigned n = fathom_int("n"), steps = 0;
    while (steps != n) steps++;
    return 0;
}
// expect: not exhaustive
