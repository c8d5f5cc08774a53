//@ cc: -fsanitize=bounds
#include <fathom.h>
struct pair { int first[2], second[2]; };
int main(void) {
    struct pair pair = {{1, 2}, {3, 4}};
    int i = fathom_range(0, 2, "i");
    if (pair.first[i] > 2) return 1;
    return 0;
}
// expect: exits 0
