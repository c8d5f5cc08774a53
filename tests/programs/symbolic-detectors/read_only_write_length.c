// The constant is written to when the length is even, but not 0.
#include <fathom.h>
#include <string.h>
static const char fixed[4] = "abc";
int main(void) {
    char own[4] = {0};
    unsigned n = fathom_int("n") & 3;
    char *target = n & 1 ? own : (char *)fixed;
    memcpy(target, "xyz", n); // expect: bug read-only-write
    return 0;
}
// expect: exits 0
