#include <stdint.h>
#include <stdio.h>
#include <string.h>
static int known(int v) { return __builtin_constant_p(v); }
static __attribute__((noinline)) int frame(void) { return __builtin_frame_address(0) != NULL; }
static inline int choose(int a) { return __builtin_choose_expr(sizeof(int) == 4, a + 1, a - 1); }
int main(int argc, char **argv) {
    (void)argv;
    printf("%d %d %d\n", __builtin_constant_p(3), frame(), choose(4));
    (void)known;
    printf("%d\n", __builtin_expect(argc == 1, 1) ? 1 : 2);
    __builtin_assume(argc > 0);
    char buf[16];
    printf("%zd\n", __builtin_object_size(buf, 0));
    __builtin_prefetch(buf);
    int *p = __builtin_assume_aligned(buf, 1);
    (void)p;
    printf("%d %d %d\n", __builtin_types_compatible_p(int, signed),
           __builtin_offsetof(
               struct {
                   char a;
                   int b;
               },
               b) == 4,
           __builtin_isnan(__builtin_nan("")));
    printf("%a %a %a %a\n", __builtin_fabs(-1.5), __builtin_copysign(1., -0.), __builtin_inf(),
           __builtin_huge_val());
    volatile double d = -2.5;
    volatile float f = 2.5f;
    printf("%a %a %a %a %a %a\n", __builtin_floor(d), __builtin_ceil(d), __builtin_trunc(d),
           __builtin_rint(d), __builtin_sqrtf(f), __builtin_fma(d, d, d));
    printf("%d %d %d\n", __builtin_signbit(d) != 0, __builtin_isinf_sign(-__builtin_inf()),
           __builtin_fpclassify(0, 1, 2, 3, 4, d));
    printf("%d %s %d\n", _Generic(1.0f, float: 1, double: 2, default: 3), __func__, __LINE__);
    __builtin_memcpy(buf, "builtin", 8);
    printf("%s %zu\n", buf, __builtin_strlen(buf));
    __builtin_memset(buf, 'x', 3);
    __builtin_memmove(buf + 1, buf, 4);
    puts(buf);
    volatile int x = -7, y = 3;
    printf("%d %d %d %d\n", __builtin_abs(x), __builtin_elementwise_max(x, y),
           __builtin_elementwise_min(x, y), __builtin_elementwise_abs(x));
    volatile uint8_t a = 250, b = 10;
    volatile int8_t c = -100, e = -100;
    printf("%d %d %d %d\n", __builtin_elementwise_add_sat((uint8_t)a, (uint8_t)b),
           __builtin_elementwise_sub_sat((uint8_t)b, (uint8_t)a),
           __builtin_elementwise_add_sat((int8_t)c, (int8_t)e),
           __builtin_elementwise_sub_sat((int8_t)c, (int8_t)100));
    return __builtin_unpredictable(argc == 1) ? 0 : 1;
}
