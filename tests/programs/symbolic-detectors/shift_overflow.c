#include <fathom.h>
int main(void) {
    int n = fathom_range(0, 33, "n");
    return (1u << n) == 0; // expect: bug shift-overflow
}
// expect: input n=32
// expect: exits 0
