#include <fathom.h>
int main(void) {
    int a[4] = {0};
    unsigned char i;
    fathom_make_symbolic(&i, 1, "i");
    a[i % 5] = 1; // expect: bug out-of-bounds-write
    return 0;
}
