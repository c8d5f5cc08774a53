// The second object of a name is another object, with a name of its own in the test.
#include <klee/klee.h>
int main(void) {
    char x, y;
    klee_make_symbolic(&x, 1, "x");
    klee_make_symbolic(&y, 1, "x");
    if (x == 'a' && y == 'b') klee_abort(); // expect: bug abort
    return 0;
}
// expect: input x="a"
// expect: input x_1="b"
