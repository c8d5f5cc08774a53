#include <fathom.h>
int main(void) {
    if (fathom_int("x") == 9) __builtin_trap(); // expect: bug abort
    return 0;
}
// expect: input x=9
