// The index is decided before the choice.
//@ run: --check-uninit
#include <fathom.h>
static const char table[4] = {1, 2, 3, 4};
int main(void) {
    unsigned char order[4];
    int x = fathom_range(0, 4, "x");
    order[0] = order[1] = order[2] = 3;
    for (int i = 0; i < 3; i++) {
        if (x == i) return table[order[i] & 3] == 9;
    }
    return 2;
}
// expect: exits 0 2
