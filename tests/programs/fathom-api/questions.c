#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(12);
    int x = fathom_int("x");
    if (!fathom_is_replay()) {
        if (!fathom_is_symbolic((uintptr_t)x) || fathom_is_symbolic(3)) return 9;
        if (fathom_object_size(p) != 12) return 8;
    }
    if (x == 6) return 1;
    return 0;
}
// expect: exits 0 1
