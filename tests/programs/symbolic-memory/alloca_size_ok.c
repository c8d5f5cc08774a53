#include <alloca.h>
#include <fathom.h>
int main(void) {
    int n = fathom_range(1, 6, "n");
    char *a = alloca((unsigned long)n);
    if (n > 4) a[4] = 2;
    a[n / 2] = 3;
    return 0;
}
// expect: exits 0
