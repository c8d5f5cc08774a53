//@ run: --check-uninit
#include <fathom.h>
#include <string.h>
int main(void) {
    char copy[8];
    int n = fathom_range(1, 5, "n"), last = 0;
    memcpy(copy, "abcd", (size_t)n);
    if (copy[n] == 'd') last++; // expect: bug uninitialised-read
    return last > 1;
}
// expect: exits 0
