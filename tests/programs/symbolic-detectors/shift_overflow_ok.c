#include <fathom.h>
int main(void) {
    int n = fathom_int("n");
    if ((1u << (n & 31)) == 0) return 1;
    if ((0x80000000u >> (n & 31)) == 0) return 1;
    return 0;
}
// expect: exits 0
