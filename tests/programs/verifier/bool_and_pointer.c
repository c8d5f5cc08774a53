#include <stdbool.h>
extern bool __VERIFIER_nondet_bool(void);
extern _Bool __VERIFIER_nondet__Bool(void);
extern void *__VERIFIER_nondet_pointer(void);
extern unsigned long __VERIFIER_nondet_size_t(void);
int main(void) {
    bool a = __VERIFIER_nondet_bool();
    _Bool b = __VERIFIER_nondet__Bool();
    if (a != 0 && a != 1) return 9;
    if (!__VERIFIER_nondet_pointer()) return 2;
    if (__VERIFIER_nondet_size_t() == 12) return 3;
    if (a && !b) return 1;
    return 0;
}
// expect: exits 0 1 2 3
