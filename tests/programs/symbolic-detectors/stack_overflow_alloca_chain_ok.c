//@ run: --max-stack 1
#include <alloca.h>
#include <fathom.h>
static char fill(int depth, unsigned length) {
    char *copy = alloca(length + 1);
    copy[length] = 1;
    return depth ? fill(depth - 1, length) : copy[length];
}
int main(void) {
    unsigned short length;
    fathom_make_symbolic(&length, sizeof length, "length");
    if (length > 6000) return 2;
    return fill(20, length);
}
// expect: exits 1 2
