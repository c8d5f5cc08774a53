#include <klee/klee.h>
int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++) {
        char c;
        klee_make_symbolic(&c, 1, "c");
        n = n * 2 + (c == '1' ? 1 : 0);
    }
    if (n == 5) return 1;
    return 0;
}
// expect: exits 0 1
