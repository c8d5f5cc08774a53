#include <fathom.h>
static const int table[4] = {1, 2, 3, 4};
int main(void) {
    int i = fathom_range(0, 4, "i");
    ((int *)table)[i] = 0; // expect: bug read-only-write
    return 0;
}
// expect: exits
