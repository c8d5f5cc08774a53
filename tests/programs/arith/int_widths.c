#include <stdint.h>
#include <stdio.h>

#define SHOW(T, FMT, A, B)                                                                         \
    do {                                                                                           \
        volatile T a = (T)(A), b = (T)(B);                                                         \
        printf(#T ": " FMT " " FMT " " FMT " " FMT " " FMT " " FMT " " FMT " " FMT "\n",           \
               (T)(a + b), (T)(a - b), (T)(a * b), (T)(a / b), (T)(a % b), (T)(a & b), (T)(a | b), \
               (T)(a ^ b));                                                                        \
        printf("  %d %d %d %d %d %d  " FMT " " FMT "\n", a<b, a <= b, a> b, a >= b, a == b,        \
               a != b, (T)~a, (T) - b);                                                            \
    } while (0)

int main(void) {
    SHOW(int8_t, "%d", -100, 7);
    SHOW(int8_t, "%d", 127, -1);
    SHOW(uint8_t, "%u", 200, 77);
    SHOW(int16_t, "%d", -32768, 123);
    SHOW(uint16_t, "%u", 65535, 4660);
    SHOW(int32_t, "%d", -123456, 789);
    SHOW(uint32_t, "%u", 4000000000u, 12345u);
    SHOW(int64_t, "%lld", -1234567890123LL, 98765LL);
    SHOW(uint64_t, "%llu", 18000000000000000000ULL, 1234567ULL);
    SHOW(int64_t, "%lld", INT64_MIN / 4, 3);
    SHOW(uint64_t, "%llu", UINT64_MAX, UINT64_MAX);
    return 0;
}
