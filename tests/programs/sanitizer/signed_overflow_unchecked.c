// Without the option it is not looked for.
#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    int y = x + 1;
    if (y < x) return 1;
    return 0;
}
// expect: exits 0 1
