// A length from outside becomes the size of a local array in each call of a chain: short ones fit.
//@ run: --max-stack 1
//@ native: skip
#include <alloca.h>
#include <fathom.h>
static char fill(int depth, unsigned length) {
    char *copy = alloca(length + 1); // expect: bug stack-overflow
    copy[length] = 1;
    return depth ? fill(depth - 1, length) : copy[length];
}
int main(void) {
    unsigned short length;
    fathom_make_symbolic(&length, sizeof length, "length");
    if (length > 60000) return 2;
    return fill(20, length);
}
// fixme: exits 1 2, and not for length=0; the stack is taken for the largest size
// expect: exits 2
