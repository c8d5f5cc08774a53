// Two locals of one size on one path: each is reported.
//@ run: --check-uninit
#include <fathom.h>
int main(void) {
    int a, b;
    int x = fathom_int("x");
    if (x > 0) a = b = 1;
    int sum = 0;
    if (a == 1) sum++; // expect: bug uninitialised-read
    if (b == 1) sum++; // expect: bug uninitialised-read
    return sum > 2;
}
// expect: exits 0
