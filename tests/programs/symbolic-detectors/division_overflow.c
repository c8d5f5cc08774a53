#include <fathom.h>
int main(void) {
    int x = fathom_int("x"), y = fathom_int("y");
    if (y == 0) return 1;
    return x / y == 3; // expect: bug signed-overflow
}
// expect: input x=-2147483648
// expect: input y=-1
