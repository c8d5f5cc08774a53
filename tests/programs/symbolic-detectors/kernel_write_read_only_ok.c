//@ run: --sym-stdin 4
#include <fathom.h>
#include <unistd.h>
static const char fixed[8] = "abc";
static char own[8];
int main(void) {
    int x = fathom_int("x");
    if (write(1, x == 3 ? fixed : own, 2) < 0) return 1;
    if (read(0, x == 3 ? own + 4 : own, 2) < 0) return 1;
    return 0;
}
// expect: exits 0
