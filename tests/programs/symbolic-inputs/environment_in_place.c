//@ args: x --sym-env N 1
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "x")) return 9;
    if (getenv("N")[0] == '7') return 1;
    return 0;
}
// expect: exits 0 1
