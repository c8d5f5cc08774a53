//@ run: --sym-stdin 1
//@ args: -- --sym-arg 3
#include <string.h>
int main(int argc, char **argv) {
    return argc == 3 && !strcmp(argv[1], "--sym-arg") && !strcmp(argv[2], "3") ? 0 : 1;
}
// expect: exits 0
// expect: paths 1
