#include <assert.h>
#include <fathom.h>
#include <stdarg.h>
static long sum(int n, ...) {
    va_list list;
    long total = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) total += i % 2 ? va_arg(list, long) : va_arg(list, int);
    va_end(list);
    return total;
}
int main(void) {
    int a = fathom_int("a");
    long b;
    fathom_make_symbolic(&b, sizeof b, "b");
    if (sum(8, 1, 2L, 3, 4L, 5, 6L, a, b) == 121 && a == 50) {
        assert(b == 50);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
