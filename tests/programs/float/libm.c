//@ cc: -lm
#include <math.h>
#include <stdio.h>

int main(void) {
    static const double samples[] = {0.0, 0.5, -0.5, 1, 2.75, -3.25, 10, 123.456, 1e-8, 700, 1e15};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        volatile double x = samples[i];
        volatile float f = (float)x;
        printf("%a %a %a %a %a\n", sin(x), cos(x), tan(x), atan(x), exp(x / 10));
        printf("%a %a %a %a\n", log(fabs(x) + 1), sqrt(fabs(x)), cbrt(x), pow(fabs(x), 0.7));
        printf("%a %a %a %a %a %a\n", floor(x), ceil(x), trunc(x), round(x), rint(x), nearbyint(x));
        printf("%a %a %a %a\n", fmod(x, 0.7), remainder(x, 0.7), hypot(x, 3), atan2(x, -2));
        printf("%a %a %a %a %ld %lld\n", copysign(1, x), fmin(x, 1), fmax(x, 1), fma(x, x, 1),
               lrint(x), llround(x));
        printf("%a %a %a %a %a\n", sinf(f), sqrtf(fabsf(f)), floorf(f), powf(fabsf(f), 0.3f),
               expf(f / 100));
        double ip;
        int e;
        double fr = modf(x, &ip);
        double m = frexp(x, &e);
        printf("%a %a %a %d %a %a\n", fr, ip, m, e, ldexp(x, 5), scalbn(x, -3));
        printf("%a %a %a %a %a\n", sinh(x / 100), tanh(x), erf(x), tgamma(2.5),
               lgamma(fabs(x) + 1));
        printf("%d %d %d %d %d\n", signbit(x) != 0, isfinite(x), isnormal(x), fpclassify(x),
               ilogb(x + 1e-300));
    }
    return 0;
}
