#include <assert.h>
#include <fathom.h>
#include <stdbool.h>
int main(void) {
    int x = fathom_int("x");
    bool b = x, c = x & 2;
    if (b + c == 2) {
        assert(x & 2);
        return 1;
    }
    if (b ^ c) {
        assert(x && !(x & 2));
        return 2;
    }
    assert(x == 0);
    return 0;
}
// expect: exits 0 1 2
