//@ cc: -fsanitize=nonnull-attribute
#include <fathom.h>
__attribute__((nonnull)) static int read_it(const int *from, int plus) {
    return from == 0 ? plus : *from + plus;
}
int main(void) {
    int four = 4;
    int x = fathom_range(0, 3, "x");
    const int *from[3] = {&four, &four, 0};
    if (x == 2) return 0;
    return read_it(from[x], 1);
}
// expect: exits 0 5
