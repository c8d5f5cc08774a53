// _BitInt of more than 128 bits: arithmetic, shifts, comparisons, conversions, memory, calls.
#include <stdio.h>
#include <string.h>

typedef unsigned _BitInt(256) u256;
typedef signed _BitInt(256) i256;
typedef unsigned _BitInt(129) u129;
typedef signed _BitInt(200) i200;
typedef unsigned _BitInt(1000) u1000;

static void hex(const char *name, u1000 v) {
    char text[300];
    int at = sizeof text;
    text[--at] = 0;
    do {
        text[--at] = "0123456789abcdef"[(int)(v & 15)];
        v >>= 4;
    } while (v);
    printf("%s %s\n", name, text + at);
}
static void dec(const char *name, i256 v) {
    char text[100];
    int at = sizeof text, negative = v < 0;
    u256 u = negative ? -(u256)v : (u256)v;
    text[--at] = 0;
    do text[--at] = '0' + (char)(u % 10);
    while (u /= 10);
    printf("%s %s%s\n", name, negative ? "-" : "", text + at);
}

struct holder {
    char c;
    i200 v;
    char d;
};
static i256 table[3] = {1, -1, (i256)1 << 200};
static u256 constant = 0xfedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210wbu;

static i256 factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static u256 pick(int c, u256 a, u256 b) { return c ? a : b; }
static int which(i256 v) {
    switch (v) {
    case 0: return 10;
    case -1: return 11;
    case (i256)1 << 200: return 12;
    default: return 13;
    }
}

int main(void) {
    volatile int seven = 7;
    dec("factorial", factorial(50));
    u1000 x = 1;
    for (int i = 1; i < 130; i++) x = x * (unsigned)(i + 100) + (unsigned)i;
    hex("product", x);
    hex("shl", x << (seven * 9));
    hex("shr", x >> (seven * 50));
    hex("div", x / ((u1000)constant * constant));
    hex("mod", x % ((u1000)constant * constant));
    i256 a = -(i256)constant / 3, b = (i256)constant >> 100;
    dec("a", a);
    dec("b", b);
    dec("a/b", a / (b + 1));
    dec("a%b", a % (b + 1));
    dec("ashr", a >> (seven + 60));
    printf("%d%d%d%d%d%d\n", a < b, a <= b, a > b, a == a + 0, (u256)a > (u256)b, a != b);
    u129 narrow = ~(u129)0;
    narrow += 1;
    hex("wrapped", narrow);
    narrow -= 1;
    hex("again", narrow);
    printf("%lld %d\n", (long long)a, (int)(unsigned char)constant);
    hex("128", (unsigned __int128)(constant >> 64));
    dec("sext", (i256)(signed char)-seven);
    dec("sext128", (i256)((__int128)-seven << 90));
    printf("%.17g %.17g %a\n", (double)a, (double)constant, (double)(float)(b >> 40));
    dec("from", (i256)-1e60);
    dec("from32", (i256)3e38f);
    struct holder h = {1, -5, 2};
    memset(&h, 0x55, sizeof h);
    h.v = (i200)a;
    h.d = 9;
    dec("held", h.v);
    printf("%zu %zu %zu %zu\n", sizeof h, sizeof(u129), sizeof(u1000), _Alignof(u1000));
    h.v++;
    dec("held", h.v);
    for (int i = 0; i < 3; i++) dec("table", table[i]), printf("%d\n", which(table[i]));
    printf("%d\n", which(5));
    hex("pick", pick(seven == 7, constant, 1) ^ pick(seven == 8, constant, ~(u256)1));
    i256 m = 0;
    for (int i = 0; i < 40; i++) m = i % 3 ? m * 31 - i : -m;
    dec("loop", m);
    u256 g = constant, k = 0x123456789abcdefwbu;
    while (k) {
        u256 t = g % k;
        g = k;
        k = t;
    }
    hex("gcd", g);
    return (int)!!(constant & ((u256)1 << 255));
}
