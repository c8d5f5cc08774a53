#include <fathom.h>
int main(void) {
    unsigned char n;
    fathom_make_symbolic(&n, 1, "n");
    if (n > 128) return 2;
    unsigned __int128 bit = (unsigned __int128)1 << n; // expect: bug shift-overflow
    if (bit >> 127) return 1;
    return 0;
}
// expect: input n=128
// expect: exits 0 1 2
