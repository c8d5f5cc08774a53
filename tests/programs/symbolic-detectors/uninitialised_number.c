// A number of two digits and its end are written; there is a third place.
//@ run: --check-uninit
#include <fathom.h>
int main(void) {
    char text[4];
    int x = fathom_range(0, 100, "x"), odd = 0;
    text[0] = (char)('0' + x / 10);
    text[1] = (char)('0' + x % 10);
    if (text[1] & 1 && text[2] == 0) odd++; // expect: bug uninitialised-read
    return odd > 1;
}
// expect: exits 0
