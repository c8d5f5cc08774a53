// Two blocks are put into a table at places of the input's choice: the second may hide the first.
//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
static char *slots[4];
static void put(int at, size_t size) {
    slots[at] = malloc(size); // expect: bug leak
}
int main(void) {
    int a = fathom_range(0, 4, "a"), b = fathom_range(0, 4, "b");
    put(a, 8);
    put(b, 16);
    return 0;
}
