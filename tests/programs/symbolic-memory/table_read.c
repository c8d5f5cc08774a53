#include <fathom.h>
static const unsigned char primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
int main(void) {
    int i = fathom_range(0, 10, "i");
    if (primes[i] == 19) return 1;
    if (primes[i] % 2 == 0) return 2;
    return 0;
}
// expect: exits 0 1 2
// expect: paths 3
