#include <fathom.h>
int main(void) {
    unsigned short a, b;
    fathom_make_symbolic(&a, sizeof a, "a");
    fathom_make_symbolic(&b, sizeof b, "b");
    if (a > 1 && b > 1 && (unsigned)a * b == 3599) return 1;
    return 0;
}
// expect: exits 0 1
