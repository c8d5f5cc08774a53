#include <stdio.h>
#include <string.h>

union number {
    unsigned u;
    int i;
    float f;
    unsigned char b[4];
    struct {
        unsigned short lo, hi;
    };
};
union wide {
    double d;
    unsigned long long u;
    struct {
        unsigned long long m : 52, e : 11, s : 1;
    };
};

int main(void) {
    union number n = {.f = 1.0f};
    printf("%x %d %x %x %x\n", n.u, n.i, n.b[3], n.lo, n.hi);
    n.hi = 0x4049;
    n.lo = 0x0fdb;
    printf("%.6f\n", n.f);
    n.b[0]++;
    printf("%x\n", n.u);
    for (double d = -2; d < 3; d += 0.75) {
        union wide w = {d};
        printf("%llx %u %u %llx\n", w.u, (unsigned)w.s, (unsigned)w.e, (unsigned long long)w.m);
        w.s ^= 1;
        w.e++;
        printf("%g\n", w.d);
    }
    union {
        char text[8];
        unsigned long long v;
    } s;
    s.v = 0;
    strcpy(s.text, "AbCd");
    s.v ^= 0x20202020;
    puts(s.text);
    union number copy = n, *p = &copy;
    p->i = -1;
    printf("%u %u %d\n", p->u, n.u, sizeof *p == 4);
    return 0;
}
