#include <stdint.h>
#include <stdio.h>

int main(void) {
    static const int64_t samples[] = {
        0,     1,     -1,    127,       128,       255,          256,       -128,     -129,
        32767, 65535, 65536, INT32_MAX, INT32_MIN, 0xffffffffLL, INT64_MAX, INT64_MIN};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        volatile int64_t v = samples[i];
        volatile int8_t s8 = (int8_t)v;
        volatile uint8_t u8 = (uint8_t)v;
        volatile int16_t s16 = (int16_t)v;
        volatile uint16_t u16 = (uint16_t)v;
        volatile int32_t s32 = (int32_t)v;
        volatile uint32_t u32 = (uint32_t)v;
        printf("%d %u %d %u %d %u | %lld %lld %lld %lld %lld %lld %d\n", s8, u8, s16, u16, s32, u32,
               (long long)s8, (long long)u8, (long long)s16, (long long)u16, (long long)s32,
               (long long)u32, (int)(_Bool)v);
        printf("%d %d %d %u %u\n", (int16_t)s8, (uint16_t)s8, (int32_t)u16, (uint32_t)s8,
               (uint32_t)s16);
        void *p = (void *)(uintptr_t)v;
        printf("%d %llx\n", p == 0, (unsigned long long)(uintptr_t)p);
    }
    return 0;
}
