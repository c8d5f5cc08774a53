// Only what has been copied is looked at.
//@ run: --check-uninit
#include <fathom.h>
#include <string.h>
int main(void) {
    char copy[8];
    int n = fathom_range(1, 5, "n");
    memcpy(copy, "abcd", (size_t)n);
    if (copy[0] != 'a') return 1;     // expect: bug uninitialised-read
    if (copy[n - 1] == 'd') return 2; // expect: bug uninitialised-read
    return 0;
}
// fixme: no bug; a byte that is copied for some lengths only counts for all
// expect: exits 0 2
