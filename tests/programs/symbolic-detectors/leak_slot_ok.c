//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
static char *slots[4];
static void put(int at, size_t size) {
    free(slots[at]);
    slots[at] = malloc(size);
}
int main(void) {
    int a = fathom_range(0, 4, "a"), b = fathom_range(0, 4, "b");
    put(a, 8);
    put(b, 16);
    return 0;
}
// expect: exits 0
