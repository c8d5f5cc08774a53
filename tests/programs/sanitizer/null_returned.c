//@ cc: -fsanitize=returns-nonnull-attribute
#include <fathom.h>
static char *names[3] = {"zero", "one", 0};
__attribute__((returns_nonnull)) static char *name(unsigned i) {
    return names[i % 3]; // expect: bug null-argument
}
int main(void) { return name(fathom_int("i"))[0] == 'q'; }
// expect: exits 0
