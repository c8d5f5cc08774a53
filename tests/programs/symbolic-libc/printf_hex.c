#include <assert.h>
#include <fathom.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned char x;
    fathom_make_symbolic(&x, 1, "x");
    char text[8];
    sprintf(text, "%02x", x);
    if (!strcmp(text, "5c")) {
        assert(x == 0x5c);
        return 1;
    }
    if (text[2]) return 8;
    return 0;
}
// expect: exits 0 1
