#include <stdio.h>

int main(void) {
    int a = 10; unsigned char c = 250; short s = -5; long long l = 1LL << 40; float f = 1.5f; double d = 2;
    a += 5; a -= 2; a *= 3; a /= 2; a %= 7; a <<= 4; a >>= 1; a |= 9; a &= 13; a ^= 6;
    c += 10; c *= 3; c -= 200; c <<= 2; c /= 3;
    s *= 1000; s -= 30000; s >>= 3; s ^= 0x55;
    l += a; l -= c; l *= -3; l /= 7; l %= 1000003;
    f *= 3; f += a; f /= 7; d += f; d -= 1e3; a += 2.9; c *= 1.5;
    printf("%d %u %d %lld %a %a\n", a, c, s, l, f, d);
    printf("%d", a++); printf(" %d", ++a); printf(" %d", a--); printf(" %d\n", --a);
    int x[4] = {1, 2, 3, 4}, *p = x;
    int y = *p++; y += 10 * *++p; (*p)--; printf("%d %d %d\n", y, *p, (int)(p - x));
    f++; d--; printf("%g %g %u\n", f, d, c--);
    return (a, c, 42);
}
