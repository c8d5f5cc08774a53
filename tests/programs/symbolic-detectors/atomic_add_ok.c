#include <fathom.h>
static int counts[4];
int main(void) {
    unsigned i = fathom_int("i");
    if (i >= 4) return 2;
    __atomic_fetch_add(&counts[i], 1, __ATOMIC_SEQ_CST);
    int one = 1;
    if (!__atomic_compare_exchange_n(&counts[i], &one, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return 1;
    return 0;
}
// expect: exits 0 2
