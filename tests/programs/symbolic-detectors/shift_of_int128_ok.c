#include <fathom.h>
int main(void) {
    unsigned char n;
    fathom_make_symbolic(&n, 1, "n");
    unsigned __int128 bit = (unsigned __int128)1 << (n & 127);
    if (bit >> 127) return 1;
    return 0;
}
// expect: exits 0 1
