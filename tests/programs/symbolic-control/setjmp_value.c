// The value that setjmp returns is symbolic; zero becomes one.
#include <assert.h>
#include <fathom.h>
#include <setjmp.h>
int main(void) {
    jmp_buf env;
    volatile int x = fathom_range(0, 3, "x");
    switch (setjmp(env)) {
    case 0: longjmp(env, x);
    case 1: assert(x == 0 || x == 1); return 1;
    case 2: assert(x == 2); return 2;
    default: return 8;
    }
}
// expect: exits 1 2
