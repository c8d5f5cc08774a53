#include <klee/klee.h>
int main(void) {
    volatile int *port = (volatile int *)0x40000000;
    klee_define_fixed_object((void *)port, 4096);
    port[3] = klee_int("x");
    if (port[3] == 77) return 1;
    return 0;
}
// expect: exits 0 1
