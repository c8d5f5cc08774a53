//@ cc: -fsanitize=bounds
#include <fathom.h>
struct pair { int first[2], second[2]; };
int main(void) {
    struct pair pair = {{1, 2}, {3, 4}};
    int i = fathom_range(0, 3, "i");
    return pair.first[i] == 3; // expect: bug index-out-of-bounds
}
// expect: input i=2
