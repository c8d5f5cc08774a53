#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    klee_make_symbolic(p, 5, "p"); // expect: bug out-of-bounds-write
    return 0;
}
