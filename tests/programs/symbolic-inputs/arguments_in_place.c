//@ args: first --sym-arg 1 last
#include <string.h>
int main(int argc, char **argv) {
    if (argc != 4 || strcmp(argv[1], "first") || strcmp(argv[3], "last")) return 9;
    if (argv[2][0] == '-') return 1;
    return 0;
}
// expect: exits 0 1
