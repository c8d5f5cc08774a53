// A length from outside becomes the size of a local array.
#include <alloca.h>
#include <fathom.h>
int main(void) {
    unsigned length = fathom_int("length");
    if (length > 1u << 28) return 2;
    char *copy = alloca(length + 1); // fixme: bug stack-overflow; the size is given one value
    copy[length] = 0;
    return copy[length];
}
// expect: exits 0 2
// expect: not exhaustive
// expect: ledger concretised: the size of a large object
