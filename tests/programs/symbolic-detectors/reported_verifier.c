#include <stdlib.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_error(void);
int main(void) {
    unsigned short x = __VERIFIER_nondet_ushort();
    if (x * 3 % 1000 == 1 && x > 60000) __VERIFIER_error(); // expect: bug reported
    return 0;
}
// expect: exits 0
