//@ run: --max-stack 1
#include <fathom.h>
static int sum(int n) {
    char pad[4096];
    pad[0] = (char)n;
    return n == 0 ? pad[0] : sum(n - 1) + pad[0]; // expect: bug stack-overflow
}
int main(void) {
    int x = fathom_int("x");
    if (x == 1) return sum(1000000);
    if (x == 2) return sum(10) != 55;
    return 0;
}
// expect: input x=1
// expect: exits 0
