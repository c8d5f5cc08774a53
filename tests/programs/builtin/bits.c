#include <stdint.h>
#include <stdio.h>
int main(void) {
    static const uint64_t s[] = {0,          1,          2,
                                 3,          0x80,       0x8000,
                                 0x80000000, 0xffffffff, 0x123456789abcdef0,
                                 UINT64_MAX, 1ULL << 63, 0x00ff00ff00ff00ff};
    for (unsigned i = 0; i < sizeof s / sizeof *s; i++) {
        volatile uint64_t v = s[i];
        volatile uint32_t w = (uint32_t)v;
        volatile uint16_t h = (uint16_t)v;
        volatile uint8_t b = (uint8_t)v;
        if (v) printf("%d %d ", __builtin_clzll(v), __builtin_ctzll(v));
        if (w) printf("%d %d ", __builtin_clz(w), __builtin_ctz(w));
        if (h) printf("%d %d ", __builtin_clzs(h), __builtin_ctzs(h));
        printf("%d %d %d %d %d %d\n", __builtin_popcountll(v), __builtin_popcount(w),
               __builtin_parityll(v), __builtin_parity(w), __builtin_ffsll((long long)v),
               __builtin_ffs((int)w));
        printf("%llx %x %x ", (unsigned long long)__builtin_bswap64(v), __builtin_bswap32(w),
               __builtin_bswap16(h));
        printf("%llx %x %x %x\n", (unsigned long long)__builtin_bitreverse64(v),
               __builtin_bitreverse32(w), __builtin_bitreverse16(h), __builtin_bitreverse8(b));
        for (volatile unsigned n = 0; n < 70; n += 7)
            printf("%llx %x %x %x %llx %x|", (unsigned long long)__builtin_rotateleft64(v, n),
                   __builtin_rotateleft32(w, n), __builtin_rotateleft16(h, n),
                   __builtin_rotateleft8(b, n), (unsigned long long)__builtin_rotateright64(v, n),
                   __builtin_rotateright32(w, n));
        printf("\n%d %d\n", __builtin_clrsbll((long long)v), __builtin_clrsb((int)w));
        printf("%d %d\n", __builtin_clzg(v, 99), __builtin_ctzg(h, 77));
    }
    volatile unsigned __int128 q = (unsigned __int128)0x1234 << 64 | 0xff;
    printf("%d %d %d\n", __builtin_popcountg(q), __builtin_clzg(q), __builtin_ctzg(q));
    return 0;
}
