#include <fathom.h>
static short table[5] = {1, 2, 3, 4, 5};
int main(void) {
    int i = fathom_range(0, 6, "i");
    return table[i] == 0; // expect: bug out-of-bounds-read
}
// expect: input i=5
// expect: exits 0
