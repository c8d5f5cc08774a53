// The pointer goes into one of two variables, by arithmetic.
//@ run: --check-leaks
#include <fathom.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t kept, other;
int main(void) {
    uintptr_t block = (uintptr_t)malloc(12), mask = -(uintptr_t)(fathom_int("x") != 1234567);
    kept = block & mask;
    other = block & ~mask;
    return 0;
}
// expect: exits 0
