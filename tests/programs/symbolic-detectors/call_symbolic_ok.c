#include <fathom.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
static int three(void) { return 3; }
int main(void) {
    int (*table[3])(void) = {one, two, three};
    return table[fathom_range(0, 3, "i")]();
}
// expect: exits 1 2 3
// expect: paths 3
