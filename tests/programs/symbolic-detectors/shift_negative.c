#include <fathom.h>
int main(void) {
    int n = fathom_range(-1, 8, "n");
    return 256 >> n == 3; // expect: bug shift-overflow
}
// expect: input n=-1
