#include <klee/klee.h>
int main(void) {
    switch (klee_choose(3)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: return 9;
    }
}
// expect: exits 0 1 2
