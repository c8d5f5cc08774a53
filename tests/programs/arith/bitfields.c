#include <stdio.h>
#include <string.h>

struct small {
    unsigned a : 3;
    int b : 5;
    unsigned c : 1;
    signed d : 7;
};
struct wide {
    unsigned long long a : 33;
    long long b : 30;
    unsigned c : 1;
    unsigned long long d : 63;
};
struct mixed {
    char tag;
    unsigned a : 4;
    unsigned : 0;
    unsigned b : 12;
    short s;
    unsigned char e : 2, f : 6;
};
struct __attribute__((packed)) packed {
    unsigned a : 3;
    unsigned b : 11;
    unsigned long long c : 40;
    char d;
};
struct flags {
    _Bool a : 1, b : 1, c : 1;
};

static void dump(const void *p, size_t n) {
    const unsigned char *b = p;
    while (n--) printf("%02x", *b++);
    printf("\n");
}

int main(void) {
    struct small s;
    memset(&s, 0, sizeof s);
    for (int i = -20; i < 20; i++) {
        s.a = i;
        s.b = i * 3;
        s.c = i;
        s.d = i * 7;
        printf("%u %d %u %d\n", s.a, s.b, s.c, s.d);
        dump(&s, sizeof s);
    }
    struct wide w;
    memset(&w, 0, sizeof w);
    w.a = 0x1ffffffffULL;
    w.b = -12345;
    w.c = 1;
    w.d = 0x7edcba9876543210ULL;
    printf("%llu %lld %u %llx\n", (unsigned long long)w.a, (long long)w.b, w.c,
           (unsigned long long)w.d);
    w.a += 2;
    w.b -= 1;
    w.d <<= 1;
    dump(&w, sizeof w);
    struct mixed m;
    memset(&m, 0, sizeof m);
    m.tag = 'x';
    m.a = 9;
    m.b = 0xabc;
    m.s = -2;
    m.e = 3;
    m.f = 33;
    dump(&m, sizeof m);
    printf("%zu %u %u\n", sizeof m, m.a++, m.b--);
    dump(&m, sizeof m);
    struct packed p;
    memset(&p, 0, sizeof p);
    p.a = 5;
    p.b = 0x7a5;
    p.c = 0x123456789aULL;
    p.d = 'z';
    dump(&p, sizeof p);
    printf("%zu %llx\n", sizeof p, (unsigned long long)p.c);
    struct flags f = {1, 0, 1};
    f.b = !f.a;
    f.c = 4;
    printf("%d%d%d\n", f.a, f.b, f.c);
    return 0;
}
