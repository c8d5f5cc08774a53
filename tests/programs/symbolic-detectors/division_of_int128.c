#include <fathom.h>
int main(void) {
    unsigned char low;
    fathom_make_symbolic(&low, 1, "low");
    __int128 divisor = ((__int128)1 << 70) * (low - 77);
    if (((__int128)1 << 100) / divisor == 1) return 1; // expect: bug division-by-zero
    return 0;
}
// expect: input low=77
// expect: exits 0
