#include <assert.h>
#include <fathom.h>
#include <setjmp.h>
static jmp_buf env;
static void check(int x) {
    if (x == 42) longjmp(env, 1);
    if (x == 43) longjmp(env, 2);
}
int main(void) {
    int x = fathom_int("x");
    switch (setjmp(env)) {
    case 0: check(x); return 0;
    case 1: assert(x == 42); return 1;
    case 2: assert(x == 43); return 2;
    default: return 8;
    }
}
// expect: exits 0 1 2
