// The pointer itself is an expression: all of its bits or none.
#include <fathom.h>
#include <stdint.h>
static int value = 3;
int main(void) {
    uintptr_t mask = -(uintptr_t)(fathom_int("key") != 77);
    int *p = (int *)((uintptr_t)&value & mask);
    return *p; // expect: bug null-dereference
}
// expect: input key=77
// expect: exits 3
