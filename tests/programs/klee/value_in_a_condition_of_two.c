#include <klee/klee.h>
#include <stdbool.h>
int main(void) {
    bool flag;
    klee_make_symbolic(&flag, sizeof flag, "flag");
    klee_assume(flag <= 1);
    return flag ? 2 : 1;
}
// fixme: exits 1 2; a status that depends on the input alone is bound to one value
// expect: paths 1
