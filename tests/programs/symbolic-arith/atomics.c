#include <assert.h>
#include <fathom.h>
#include <stdatomic.h>
int main(void) {
    atomic_int a;
    atomic_init(&a, fathom_int("x"));
    if (atomic_fetch_add(&a, 5) == 7) {
        assert(atomic_load(&a) == 12);
        return 1;
    }
    int expected = 100;
    if (atomic_compare_exchange_strong(&a, &expected, 1)) return 2;
    assert(expected == atomic_load(&a));
    return 0;
}
// expect: exits 0 1 2
