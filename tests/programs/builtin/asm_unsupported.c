#include <stdio.h>
int main(void) {
    unsigned a = 1, b;
    puts("before");
    fflush(stdout);
    __asm__ volatile("bswap %0" : "=r"(b) : "0"(a)); // expect: unsupported inline assembly
    printf("%u\n", b);
    return 0;
}
