#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char raw[40];
    for (int i = 0; i < 40; i++) raw[i] = (unsigned char)(i * 37 + 11);
    for (int i = 0; i < 16; i++) {
        uint16_t a;
        uint32_t b;
        uint64_t c;
        float f;
        double d;
        unsigned __int128 q;
        memcpy(&a, raw + i, 2);
        memcpy(&b, raw + i, 4);
        memcpy(&c, raw + i, 8);
        memcpy(&f, raw + i, 4);
        memcpy(&d, raw + i, 8);
        memcpy(&q, raw + i, 16);
        printf("%x %x %llx %a %a %llx %llx\n", a, b, (unsigned long long)c, f, d,
               (unsigned long long)q, (unsigned long long)(q >> 64));
    }
    struct __attribute__((packed)) {
        char c;
        int i;
        short s;
        long long l;
        double d;
        void *p;
    } p = {1, 2, 3, 4, 5, raw};
    p.i += 10;
    p.s -= 5;
    p.l <<= 33;
    p.d /= 3;
    printf("%d %d %d %lld %a %d %zu\n", p.c, p.i, p.s, p.l, p.d, p.p == raw, sizeof p);
    volatile uint8_t v8 = 1;
    volatile uint16_t v16 = 2;
    volatile uint32_t v32 = 3;
    volatile uint64_t v64 = 4;
    volatile float vf = 5;
    volatile double vd = 6;
    v8 += v16;
    v16 += v32;
    v32 += v64;
    v64 += (uint64_t)vf;
    vf += (float)vd;
    vd += v8;
    printf("%u %u %u %llu %g %g\n", v8, v16, v32, (unsigned long long)v64, vf, vd);
    long double ld[2] = {1.25L, -2.5L};
    volatile long double *q = ld;
    q[0] += q[1];
    printf("%Lg\n", q[0]);
    return 0;
}
