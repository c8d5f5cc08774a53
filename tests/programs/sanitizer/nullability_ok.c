//@ cc: -fsanitize=nullability
#include <fathom.h>
static int length(const char *_Nonnull text) {
    int n = 0;
    while (text && text[n]) n++;
    return n;
}
int main(void) {
    const char *name = fathom_int("x") == 12 ? 0 : "name";
    return length(name ? name : "");
}
// expect: exits 0 4
