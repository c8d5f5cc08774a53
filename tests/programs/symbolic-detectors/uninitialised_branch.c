//@ run: --check-uninit
#include <fathom.h>
static int wide;
static void choose(int kind) {
    int width;
    if (kind == 1) width = 4;
    if (kind == 2) width = 8;
    if (width > 5) wide++; // expect: bug uninitialised-read
}
int main(void) {
    choose(fathom_int("kind"));
    return wide > 1;
}
// expect: exits 0
