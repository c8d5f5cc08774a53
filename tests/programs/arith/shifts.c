#include <stdint.h>
#include <stdio.h>

int main(void) {
    volatile int8_t s8 = -77;
    volatile uint8_t u8 = 0xb5;
    volatile int16_t s16 = -30000;
    volatile uint16_t u16 = 0x9abc;
    volatile int32_t s32 = -2000000000;
    volatile uint32_t u32 = 0xdeadbeef;
    volatile int64_t s64 = -8000000000000000000;
    volatile uint64_t u64 = 0xdeadbeefcafebabe;
    for (volatile int n = 0; n < 64; n++) {
        if (n < 8) printf("%d %d %d %d\n", s8 >> n, (uint8_t)(u8 << n), u8 >> n, (int8_t)(u8 << n));
        if (n < 16) printf("%d %d %d\n", s16 >> n, (uint16_t)(u16 << n), u16 >> n);
        if (n < 32) printf("%d %u %u\n", s32 >> n, u32 << n, u32 >> n);
        printf("%lld %llx %llx\n", (long long)(s64 >> n), (unsigned long long)(u64 << n),
               (unsigned long long)(u64 >> n));
    }
    return 0;
}
