#include <alloca.h>
#include <fathom.h>
int main(void) {
    int n = fathom_range(1, 6, "n");
    char *a = alloca((unsigned long)n);
    a[4] = 2; // expect: bug out-of-bounds-write
    return 0;
}
// expect: exits 0
