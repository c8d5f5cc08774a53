//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
struct flags { unsigned kind : 3, level : 7, rest : 9; };
int main(void) {
    int fives = 0;
    struct flags *flags = malloc(sizeof *flags);
    flags->level = (unsigned)fathom_int("level");
    if (flags->level == 99) flags->kind = 5;
    if (flags->kind == 5) fives++; // expect: bug uninitialised-read
    free(flags);
    return fives > 1;
}
