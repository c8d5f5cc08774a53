#include <stdio.h>
typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *what, u128 v) {
    printf("%s %016llx%016llx\n", what, (unsigned long long)(v >> 64), (unsigned long long)v);
}

static void decimal(i128 v) {
    char text[50], *p = text + 49;
    u128 u = v < 0 ? -(u128)v : (u128)v;
    *p = 0;
    do {
        *--p = '0' + (int)(u % 10);
        u /= 10;
    } while (u);
    if (v < 0) *--p = '-';
    printf("%s\n", p);
}

static i128 fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }

int main(void) {
    volatile u128 a = ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL;
    volatile u128 b = ((u128)0xf0f0f0f0ULL << 64) | 0x0f0f0f0f0f0f0f0fULL;
    volatile i128 s = -(i128)a;
    show("add", a + b);
    show("sub", b - a);
    show("mul", a * b);
    show("div", a / b);
    show("rem", a % b);
    show("div7", a / 7);
    show("big", a / 0x100000001ULL);
    show("sdiv", (u128)(s / 12345));
    show("srem", (u128)(s % 12345));
    show("and", a & b);
    show("or", a | b);
    show("xor", a ^ b);
    show("not", ~a);
    show("neg", -b);
    for (volatile int n = 0; n < 128; n += 9) {
        show("shl", a << n);
        show("lshr", b >> n);
        show("ashr", (u128)(s >> n));
    }
    printf("%d %d %d %d %d\n", a < b, s<0, s>(i128) b, a == b, (int)(a != b));
    decimal(fact(33));
    decimal(-fact(30));
    decimal(s);
    volatile double d = 1.5e30;
    decimal((i128)d);
    decimal((i128)-d);
    show("fp", (u128)d);
    printf("%.17g %.17g %.9g\n", (double)a, (double)s, (float)b);
    return 0;
}
