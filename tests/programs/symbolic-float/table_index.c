// A float as an index.
#include <fathom.h>
static const char table[4] = "abcd";
int main(void) {
    float x;
    fathom_make_symbolic(&x, sizeof x, "x");
    if (!(x >= 0 && x <= 4)) return 2;
    return table[(int)x] == 'c' ? 1 : 0; // expect: bug out-of-bounds-read
}
