#include <klee/klee.h>
int main(void) {
    int a = klee_int("a"), b = klee_range(5, 8, "b");
    if (b < 5 || b > 7) return 9;
    if (a == 1234567) return 1;
    switch (b) {
    case 5: return 5;
    case 6: return 6;
    default: return 7;
    }
}
// expect: exits 1 5 6 7
