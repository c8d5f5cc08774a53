#include <fathom.h>
static int table[5];
int main(void) {
    int i = fathom_range(-1, 5, "i");
    table[i] = 3; // expect: bug out-of-bounds-write
    return 0;
}
// expect: input i=-1
