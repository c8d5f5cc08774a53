#include <klee/klee.h>
int main(void) {
    int a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if (a + b == 100 && a - b == 40) return 1;
    return 0;
}
// expect: exits 0 1
