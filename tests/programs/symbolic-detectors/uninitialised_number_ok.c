// A number is written into a buffer that has room for more.
//@ run: --check-uninit
#include <fathom.h>
#include <stdio.h>
int main(void) {
    char text[40];
    snprintf(text, sizeof text, "%d", fathom_range(0, 12, "x"));
    if (text[0] == '?') return 1;
    return 0;
}
// expect: exits 0
