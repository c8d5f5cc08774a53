//@ cc: -fsanitize=pointer-overflow
#include <fathom.h>
static char buffer[16];
int main(void) {
    unsigned long length;
    fathom_make_symbolic(&length, sizeof length, "length");
    if (length > sizeof buffer) return 1;
    if (buffer + length > buffer + sizeof buffer) return 2;
    return 0;
}
// expect: exits 0 1
