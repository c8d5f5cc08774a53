#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    printf("%x %lx %d %x\n", 1u << (argc + 30), ~0ul >> (argc + 62), -8 >> argc, 1u << 31 >> (argc - 1));
    unsigned char c = 200;
    printf("%d\n", c << (argc + 8));
    return 0;
}
