#include <fathom.h>
#include <string.h>
int main(void) {
    char from[4] = "123", to[8];
    int n = fathom_range(0, 6, "n");
    memcpy(to, from, (size_t)n); // expect: bug out-of-bounds-read
    return 0;
}
// expect: input n=5
