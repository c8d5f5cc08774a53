// No byte of the constant is touched when there is none to be copied.
#include <fathom.h>
#include <string.h>
static const char fixed[4] = "abc";
int main(void) {
    char own[4] = {0};
    unsigned n = fathom_int("n") & 3;
    char *target = n ? own : (char *)fixed;
    memcpy(target, "xyz", n);
    memset(target, 0, n);
    return 0;
}
// expect: exits 0
