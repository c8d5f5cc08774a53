// What nobody has written chooses an element.
//@ run: --check-uninit
#include <fathom.h>
static const char table[4] = {1, 2, 3, 4};
int main(void) {
    unsigned char order[4];
    int x = fathom_range(0, 4, "x");
    order[0] = order[1] = order[2] = 3;
    return table[order[x] & 3] == 9; // expect: bug uninitialised-read
}
// expect: exits 0
