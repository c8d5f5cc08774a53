//@ run: --check-uninit
#include <fathom.h>
int main(void) {
    int a, b;
    int x = fathom_int("x");
    if (x > 0) a = b = 1;
    int sum = 0;
    if (x > 0 && a == 1) sum++;
    if (x > 5 && b == 1) sum++;
    return sum > 2;
}
// expect: exits 0
