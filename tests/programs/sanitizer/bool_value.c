//@ cc: -fsanitize=bool
#include <fathom.h>
#include <stdbool.h>
int main(void) {
    bool b;
    fathom_make_symbolic(&b, 1, "b");
    if (b) return 1; // expect: bug invalid-value
    return 0;
}
// expect: exits 0 1
