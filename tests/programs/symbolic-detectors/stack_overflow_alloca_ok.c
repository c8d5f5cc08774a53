#include <alloca.h>
#include <fathom.h>
int main(void) {
    unsigned length = fathom_int("length");
    if (length > 1u << 12) return 2;
    char *copy = alloca(length + 1);
    copy[length] = 0;
    return copy[length];
}
// expect: exits 0 2
