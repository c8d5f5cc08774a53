#include <fathom.h>
static int table[5];
int main(void) {
    int i = fathom_range(0, 5, "i");
    table[i] = 3;
    if (table[i] != 3) return 1;
    return 0;
}
// expect: exits 0
