//@ run: --check-uninit
#include <fathom.h>
static const char table[4] = {1, 2, 3, 4};
int main(void) {
    unsigned char order[4];
    int x = fathom_range(0, 3, "x");
    order[0] = order[1] = order[2] = 3;
    return table[order[x] & 3] == 9;
}
// expect: exits 0
