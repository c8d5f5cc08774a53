#include <fathom.h>
#include <string.h>
int main(void) {
    char from[8] = "1234567", to[8] = {0};
    int n = fathom_range(0, 8, "n");
    memcpy(to, from, (size_t)n);
    if (strlen(to) != (size_t)n) return 1;
    return 0;
}
// expect: exits 0
