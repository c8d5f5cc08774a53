//@ run: --check-uninit
//@ native: skip
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    size_t size;
    if (fathom_int("x") != 4) size = 7;
    free(malloc(size)); // fixme: bug uninitialised-read, exhaustive; the size is solved for
    return 0;
}
// expect: not exhaustive
// expect: ledger concretised: the size of a large object
