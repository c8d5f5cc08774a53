// fib(30) by recursion, as often as the argument says.
#include <stdio.h>
#include <stdlib.h>

static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    unsigned sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += fib(30);
    printf("%u\n", sum);
    return 0;
}
