#include <assert.h>
#include <fathom.h>
int main(void) {
    unsigned long a, b;
    fathom_make_symbolic(&a, sizeof a, "a");
    fathom_make_symbolic(&b, sizeof b, "b");
    unsigned __int128 sum = (unsigned __int128)a + b;
    if (sum >> 64) {
        assert(a + b < a);
        return 1;
    }
    assert(a + b >= a);
    return 0;
}
// expect: exits 0 1
// expect: paths 2
