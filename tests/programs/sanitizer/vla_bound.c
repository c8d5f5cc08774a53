//@ cc: -fsanitize=vla-bound
#include <fathom.h>
int main(void) {
    int n = fathom_range(0, 4, "n");
    char a[n]; // expect: bug vla-bound
    a[0] = 1;
    return 0;
}
// expect: input n=0
