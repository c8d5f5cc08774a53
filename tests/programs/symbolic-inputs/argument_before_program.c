// Options before the program add arguments behind its own.
//@ run: --sym-arg 1
//@ args: fixed
#include <string.h>
int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "fixed")) return 9;
    if (argv[2][0] == 'x') return 1;
    return 0;
}
// expect: exits 0 1
