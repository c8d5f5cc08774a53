// Only what has been copied is looked at.
//@ run: --check-uninit
#include <fathom.h>
#include <string.h>
int main(void) {
    char copy[8];
    int n = fathom_range(1, 5, "n");
    memcpy(copy, "abcd", (size_t)n);
    if (copy[0] != 'a') return 1;
    if (copy[n - 1] == 'd') return 2;
    return 0;
}
// expect: exits 0 2
