#include <klee/klee.h>
int slow(int x) { return x + 1; }
__attribute__((used)) int quick(int x) { return x + 2; }
int main(void) {
    klee_alias_function("slow", "quick");
    int x = klee_int("x");
    if (klee_is_replay()) return x == 10 ? 1 : 0;
    if (slow(x) == 12) return 1;
    return 0;
}
// expect: exits 0 1
