// The argument may be shorter than the bytes given.
//@ args: --sym-arg 2
#include <string.h>
int main(int argc, char **argv) {
    if (argc != 2) return 9;
    if (strlen(argv[1]) > 2) return 8;
    if (!strcmp(argv[1], "ab")) return 3;
    return (int)strlen(argv[1]);
}
// expect: exits 0 1 2 3
