#include <stdio.h>

#define SHOWS(N)                                                                                   \
    do {                                                                                           \
        typedef unsigned _BitInt(N) U;                                                             \
        volatile _BitInt(N) a = (_BitInt(N)) - 987654321987LL, b = (_BitInt(N))7;                  \
        _BitInt(N) r[] = {(U)a + (U)b, (U)a - (U)b, (U)a * (U)b, a / b,  a % b, a & b,             \
                          a | b,       a ^ b,       (U)a << 1,   a >> 2, -(U)a, ~a};               \
        printf("s" #N ":");                                                                        \
        for (unsigned i = 0; i < sizeof r / sizeof *r; i++) printf(" %lld", (long long)r[i]);      \
        printf(" %d%d%d\n", a<b, a == b, a> b);                                                    \
    } while (0)

#define SHOWU(N)                                                                                   \
    do {                                                                                           \
        volatile unsigned _BitInt(N) a = (unsigned _BitInt(N)) - 987654321987LL,                   \
                                     b = (unsigned _BitInt(N))5;                                   \
        unsigned _BitInt(N) r[] = {a + b, a - b, a * b,  a / b,  a % b, a & b,                     \
                                   a | b, a ^ b, a << 1, a >> 2, -a,    ~a};                       \
        printf("u" #N ":");                                                                        \
        for (unsigned i = 0; i < sizeof r / sizeof *r; i++)                                        \
            printf(" %llu", (unsigned long long)r[i]);                                             \
        printf(" %d%d%d\n", a<b, a == b, a> b);                                                    \
    } while (0)

int main(void) {
    SHOWS(5);
    SHOWS(7);
    SHOWS(13);
    SHOWS(17);
    SHOWS(24);
    SHOWS(31);
    SHOWS(33);
    SHOWS(47);
    SHOWS(63);
    SHOWU(4);
    SHOWU(7);
    SHOWU(13);
    SHOWU(17);
    SHOWU(24);
    SHOWU(31);
    SHOWU(33);
    SHOWU(47);
    SHOWU(63);
    SHOWS(65);
    SHOWU(65);
    SHOWS(100);
    SHOWU(100);
    SHOWU(127);
    return 0;
}
