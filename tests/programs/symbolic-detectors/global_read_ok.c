#include <fathom.h>
static short table[5] = {1, 2, 3, 4, 5};
int main(void) {
    int i = fathom_range(0, 5, "i");
    if (table[i] == 0) return 1;
    return 0;
}
// expect: exits 0
