// After the report the path goes on as if the bytes were 0, which they need not be natively.
//@ run: --check-uninit
//@ native: skip
#include <fathom.h>
static void leave_behind(void) {
    volatile int a[8];
    for (int i = 0; i < 8; i++) a[i] = 9;
}
static int width(int kind) {
    int width[4];
    if (kind == 1) width[1] = 4;
    if (width[1] > 5) return 1; // expect: bug uninitialised-read
    return 0;
}
int main(void) {
    leave_behind();
    return width(fathom_int("kind"));
}
// fixme: native: compare; the test that goes on after the bug is predicted to exit 0, and exits 1
// expect: exits 0
