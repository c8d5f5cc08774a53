#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(4, 1);
    int n = klee_range(1, 5, "n");
    klee_check_memory_access(p, (size_t)n);
    return 0;
}
// expect: exits 0
