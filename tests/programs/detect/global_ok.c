#include <stdio.h>
static const int table[3] = {1, 2, 3};
static char name[8];
int main(int argc, char **argv) {
    (void)argv;
    for (volatile int i = 0; i < 8; i++) name[i] = "xyzxyz7"[i];
    printf("%d %s\n", table[argc + 1], name);
    return 0;
}
