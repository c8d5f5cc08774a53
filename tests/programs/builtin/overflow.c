#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#define TRY(T, FMT)                                                                                \
    do {                                                                                           \
        static const T v[] = {(T)0, (T)1, (T) - 1, (T)2, (T)100, (T) - 100, T##_MIN_, T##_MAX_};   \
        for (int i = 0; i < 8; i++)                                                                \
            for (int j = 0; j < 8; j++) {                                                          \
                volatile T a = v[i], b = v[j];                                                     \
                T r;                                                                               \
                int o;                                                                             \
                o = __builtin_add_overflow(a, b, &r);                                              \
                printf("%d " FMT " ", o, r);                                                       \
                o = __builtin_sub_overflow(a, b, &r);                                              \
                printf("%d " FMT " ", o, r);                                                       \
                o = __builtin_mul_overflow(a, b, &r);                                              \
                printf("%d " FMT "\n", o, r);                                                      \
            }                                                                                      \
    } while (0)
typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t u16;
typedef int32_t s32;
typedef uint32_t u32;
typedef long long s64;
typedef unsigned long long u64;
#define s8_MIN_ INT8_MIN
#define s8_MAX_ INT8_MAX
#define u8_MIN_ 0x80
#define u8_MAX_ UINT8_MAX
#define s16_MIN_ INT16_MIN
#define s16_MAX_ INT16_MAX
#define u16_MIN_ 0x8000
#define u16_MAX_ UINT16_MAX
#define s32_MIN_ INT32_MIN
#define s32_MAX_ INT32_MAX
#define u32_MIN_ 0x80000000u
#define u32_MAX_ UINT32_MAX
#define s64_MIN_ LLONG_MIN
#define s64_MAX_ LLONG_MAX
#define u64_MIN_ (1ULL << 63)
#define u64_MAX_ ULLONG_MAX
int main(void) {
    TRY(s8, "%d");
    TRY(u8, "%u");
    TRY(s16, "%d");
    TRY(u16, "%u");
    TRY(s32, "%d");
    TRY(u32, "%u");
    TRY(s64, "%lld");
    TRY(u64, "%llu");
    int r;
    volatile long long big = 5000000000;
    volatile unsigned u = 4000000000u;
    volatile int neg = -5;
    printf("%d ", __builtin_add_overflow(big, 1, &r));
    printf("%d\n", r);
    unsigned char c;
    printf("%d ", __builtin_mul_overflow(neg, u, &c));
    printf("%d\n", c);
    long long l;
    printf("%d ", __builtin_sub_overflow(u, neg, &l));
    printf("%lld\n", l);
    volatile __int128 q = (__int128)1 << 126;
    __int128 qr;
    printf("%d ", __builtin_add_overflow(q, q, &qr));
    printf("%d ", __builtin_mul_overflow(q, 1, &qr));
    printf("%d ", __builtin_mul_overflow(q, 2, &qr));
    printf("%d\n", __builtin_mul_overflow((__int128)big, (__int128)neg, &qr));
    printf("%lld\n", (long long)qr);
    unsigned carry;
    volatile unsigned m = UINT_MAX;
    unsigned s = __builtin_addc(m, 1u, 0u, &carry);
    printf("%u %u\n", s, carry);
    s = __builtin_subc(0u, m, 1u, &carry);
    printf("%u %u\n", s, carry);
    return 0;
}
