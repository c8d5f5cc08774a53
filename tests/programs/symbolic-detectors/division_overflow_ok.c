#include <fathom.h>
#include <limits.h>
int main(void) {
    int x = fathom_int("x"), y = fathom_int("y");
    if (y == 0 || (x == INT_MIN && y == -1)) return 1;
    if (x / y == 3 && x % y == 2) return 3;
    return 0;
}
// expect: exits 0 1 3
