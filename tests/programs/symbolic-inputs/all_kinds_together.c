//@ run: --sym-env E 1 --sym-stdin 1
//@ args: --sym-arg 1 F --sym-file F 1
#include <fathom.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 3) return 9;
    char c = (char)getchar();
    char object;
    fathom_make_symbolic(&object, 1, "object");
    FILE *f = fopen(argv[2], "r");
    if (!f) return 8;
    if (argv[1][0] == 'a' && getenv("E")[0] == 'e' && c == 'i' && getc(f) == 'f' && object == 'o')
        abort(); // expect: bug abort
    return 0;
}
// expect: exits 0
// expect: input arg01="a"
// expect: input env-E="e"
// expect: input stdin="i"
// expect: input F="f"
// expect: input object="o"
