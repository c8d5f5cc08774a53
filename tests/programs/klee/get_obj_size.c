// Natively a size is known in guard mode only.
#include <klee/klee.h>
#include <stdlib.h>
static int array[6];
int main(void) {
    char *p = malloc(10);
    int x = klee_int("x");
    if (!klee_is_replay() && (klee_get_obj_size(p + 3) != 10 || klee_get_obj_size(array) != 24)) return 9;
    if (x == 1) return 1;
    return 0;
}
// expect: exits 0 1
