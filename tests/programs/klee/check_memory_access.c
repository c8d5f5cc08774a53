#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(4, 1);
    int n = klee_range(1, 6, "n");
    klee_check_memory_access(p, (size_t)n); // expect: bug out-of-bounds-read
    return 0;
}
// expect: input n=5
// expect: exits 0
