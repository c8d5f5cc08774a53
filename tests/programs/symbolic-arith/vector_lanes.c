#include <assert.h>
#include <fathom.h>
typedef int v4 __attribute__((vector_size(16)));
int main(void) {
    v4 v;
    fathom_make_symbolic(&v, sizeof v, "v");
    v4 w = v * 2 + (v4){1, 2, 3, 4};
    if (w[0] == 11 && w[3] == 24) {
        assert(v[3] == 10 || v[3] == (int)0x8000000a);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
