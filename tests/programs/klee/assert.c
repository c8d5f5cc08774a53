#include <klee/klee.h>
int main(void) {
    int x = klee_int("x");
    klee_assert(x != 99); // expect: bug assertion
    return 0;
}
// expect: input x=99
