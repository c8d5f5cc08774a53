#include <stdint.h>
#include <stdio.h>

int main(void) {
    static const double samples[] = {0,      1,       -1,  1.5, -1.5, 2.5,
                                     100.99, -100.99, 127, 255, 1e9,  -2147483648.0};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        volatile double d = samples[i];
        volatile float f = (float)d;
        volatile long double l = d;
        printf("%d %lld %d %lld %d %lld\n", (int)d, (long long)d, (int)f, (long long)f, (int)l,
               (long long)l);
        if (d >= 0)
            printf("%u %llu %u %llu\n", (unsigned)d, (unsigned long long)d, (unsigned)f,
                   (unsigned long long)l);
        if (d > -128 && d < 128) printf("%d %d\n", (int8_t)d, (int16_t)f);
        printf("%a %a %La %a %a\n", (double)f, (float)d, (long double)f, (double)l, (float)l);
    }
    volatile double big = 1.8e19;
    volatile float fbig = 1.7e19f;
    volatile long double lbig = 18446744073709551615.0L;
    printf("%llu %llu %llu\n", (unsigned long long)big, (unsigned long long)fbig,
           (unsigned long long)lbig);
    // Out of range: what the processor's conversions leave behind.
    static const long double outside[] = {-1, -3.9L, 300, 70000, 1e10L, -1e10L, 4e9L, 1e19L, -5e18L};
    for (unsigned i = 0; i < sizeof outside / sizeof *outside; i++) {
        volatile long double l = outside[i];
        volatile _Float16 h = (_Float16)l;
        printf("%d %d %d %d %d %u %llu\n", (int8_t)l, (uint8_t)l, (int16_t)l, (uint16_t)l, (int)l,
               (unsigned)l, (unsigned long long)l);
        printf("%d %d %u %llu\n", (int8_t)h, (uint16_t)h, (unsigned)h, (unsigned long long)h);
    }
    static const int64_t ints[] = {0,
                                   1,
                                   -1,
                                   127,
                                   -128,
                                   65535,
                                   INT32_MAX,
                                   INT32_MIN,
                                   INT64_MAX,
                                   INT64_MIN,
                                   123456789012345678,
                                   (1LL << 53) + 1,
                                   (1 << 24) + 1};
    for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++) {
        volatile int64_t v = ints[i];
        volatile uint64_t u = (uint64_t)v;
        volatile int32_t w = (int32_t)v;
        volatile uint32_t uw = (uint32_t)v;
        printf("%a %a %La\n", (double)v, (float)v, (long double)v);
        printf("%a %a %La\n", (double)u, (float)u, (long double)u);
        printf("%a %a %a %a %a %a\n", (double)w, (float)w, (double)uw, (float)uw, (double)(int8_t)v,
               (float)(uint16_t)v);
    }
    return 0;
}
