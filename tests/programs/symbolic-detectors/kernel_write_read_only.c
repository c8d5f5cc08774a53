// The system is asked to write into a constant.
//@ run: --sym-stdin 4
#include <fathom.h>
#include <unistd.h>
static const char fixed[8] = "abc";
static char own[8];
int main(void) {
    int x = fathom_int("x");
    if (read(0, x == 3 ? (char *)fixed : own, 2) < 0) return 1; // expect: bug read-only-write
    return 0;
}
// expect: input x=3
