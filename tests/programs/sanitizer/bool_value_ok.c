//@ cc: -fsanitize=bool
#include <fathom.h>
#include <stdbool.h>
int main(void) {
    unsigned char byte;
    fathom_make_symbolic(&byte, 1, "byte");
    bool b = byte;
    if (b) return 1;
    return 0;
}
// expect: exits 0 1
