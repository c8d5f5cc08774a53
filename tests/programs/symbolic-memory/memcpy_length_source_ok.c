#include <fathom.h>
#include <string.h>
int main(void) {
    char from[4] = "123", to[8];
    int n = fathom_range(0, 6, "n");
    memcpy(to, from, n < (int)sizeof from ? (size_t)n : sizeof from);
    return 0;
}
// expect: exits 0
