// One entry of the table takes an argument that the call does not give.
//@ native: skip
#include <fathom.h>
static int none(void) { return 1; }
static int one(int x) { return x; }
int main(void) {
    int (*table[2])(void) = {none, (int (*)(void))one};
    return table[fathom_range(0, 2, "i")](); // fixme: bug invalid-call; the argument is 0, natively anything
}
// fixme: exits 1
// expect: exits 0 1
