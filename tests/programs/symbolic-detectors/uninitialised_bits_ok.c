// Writing a bit field reads what is beside it.
//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
struct flags { unsigned kind : 3, level : 7, rest : 9; };
int main(void) {
    struct flags *flags = malloc(sizeof *flags);
    flags->level = (unsigned)fathom_int("level");
    if (flags->level == 99) return 1;
    flags->kind = 5;
    if (flags->kind != 5) return 2;
    free(flags);
    return 0;
}
// expect: exits 0 1
