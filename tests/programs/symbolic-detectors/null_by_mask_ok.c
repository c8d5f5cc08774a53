#include <fathom.h>
#include <stdint.h>
static int value = 3;
int main(void) {
    uintptr_t mask = -(uintptr_t)(fathom_int("key") != 77);
    int *p = (int *)((uintptr_t)&value & mask);
    if (mask) return *p;
    return 1;
}
// expect: exits 1 3
