#include <stdio.h>
static long f(char a, short b, int c, long d, unsigned char e, float f, double g, long double h,
              int i, int j, long k, _Bool l, double m, double n, double o, double p, double q,
              double r, double s, short t, char *u) {
    printf("%d %d %d %ld %u %g %g %Lg %d %d %ld %d %g %g %g %g %g %g %g %d %s\n", a, b, c, d, e, f,
           g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
    return a + b + c + d + e + i + j + k + l + t;
}
static __int128 wide(__int128 a, int b, __int128 c, long d, __int128 e) {
    return a * b + c * d - e;
}
static unsigned char narrow(signed char a, unsigned short b) { return (unsigned char)(a * b); }
int main(void) {
    printf("%ld\n",
           f(-1, -2, -3, -4, 250, 1.5f, 2.5, 3.5L, 9, 10, 11, 5, 1, 2, 3, 4, 5, 6, 7, -20, "end"));
    __int128 w = wide((__int128)1 << 70, 3, -7, 1L << 60, 42);
    printf("%llx %llx\n", (unsigned long long)(w >> 64), (unsigned long long)w);
    printf("%d %d\n", narrow(-3, 100), narrow(127, 65535));
    long (*p)() = (long (*)())narrow;
    (void)p;
    return 0;
}
