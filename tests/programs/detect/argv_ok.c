//@ args: abc
#include <stdio.h>
int main(int argc, char **argv) {
    argv[1][2] = 'X';
    printf("%d %d %s %d\n", argc, argv[1][3], argv[1], argv[argc] == 0);
    return 0;
}
