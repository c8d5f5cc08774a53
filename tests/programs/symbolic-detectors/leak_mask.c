// The pointer is kept or not by arithmetic, without a branch.
//@ run: --check-leaks
#include <fathom.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t kept;
int main(void) {
    kept = (uintptr_t)malloc(12);
    kept &= -(uintptr_t)(fathom_int("x") != 1234567);
    return 0;
}
// fixme: bug leak in line 8 for x=1234567; pointers are followed in one model of the path
