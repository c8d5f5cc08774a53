#include <fathom.h>
int main(void) {
    int a[4] = {0};
    unsigned char i;
    fathom_make_symbolic(&i, 1, "i");
    a[i % 4] = 1;
    if (a[0] + a[1] + a[2] + a[3] != 1) return 1;
    return 0;
}
// expect: exits 0
