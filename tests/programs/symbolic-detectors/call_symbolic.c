// One of the table's entries is no function.
#include <fathom.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
static int data;
int main(void) {
    int (*table[3])(void) = {one, two, (int (*)(void))(void *)&data};
    int (*f)(void) = table[fathom_range(0, 3, "i")];
    return f(); // expect: bug invalid-call
}
// expect: input i=2
// expect: exits 1 2
