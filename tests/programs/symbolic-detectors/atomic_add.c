// Reading comes before writing.
#include <fathom.h>
static int counts[4];
int main(void) {
    unsigned i = fathom_int("i");
    if (i > 4) return 2;
    __atomic_fetch_add(&counts[i], 1, __ATOMIC_SEQ_CST); // expect: bug out-of-bounds-read
    return 0;
}
// expect: input i=4
// expect: exits 0 2
