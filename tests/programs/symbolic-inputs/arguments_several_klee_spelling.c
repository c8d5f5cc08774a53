//@ args: -sym-args 1 2 1 -sym-stdin 1
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    if (getchar() == 'z') return argc;
    return 0;
}
// expect: exits 0 2 3
