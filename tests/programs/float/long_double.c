#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, long double v) {
    unsigned char b[16] = {0};
    memcpy(b, &v, 10);
    printf("%s %.21Lg ", what, v);
    for (int i = 9; i >= 0; i--) printf("%02x", b[i]);
    printf("\n");
}

static long double series(int n) {
    long double s = 0;
    for (int i = 1; i <= n; i++) s += 1.0L / ((long double)i * i);
    return sqrtl(6 * s);
}

int main(void) {
    volatile long double a = 1.0L / 3, b = 1e4000L, c = 1e-4900L, d = -123.456L;
    show("a+d", a + d);
    show("a-d", a - d);
    show("a*d", a * d);
    show("a/d", a / d);
    show("b*2", b * 2);
    show("b*b", b * b);
    show("c/1e40", c / 1e40L);
    show("-a", -a);
    show("c*c", c * c);
    show("series", series(1000));
    show("floor", floorl(d));
    show("ceil", ceill(d));
    show("trunc", truncl(d));
    show("fabs", fabsl(d));
    show("fmod", fmodl(1e20L, 7));
    show("ldexp", ldexpl(a, 100));
    int e;
    show("frexp", frexpl(b, &e));
    printf("%d\n", e);
    printf("%d%d%d%d%d%d\n", a<d, a <= d, a> d, a >= d, a == d, a != d);
    volatile long double inf = b * b, nan = inf - inf;
    printf("%d %d %d %d\n", nan == nan, inf > b, isnan(nan) != 0, isinf(inf) != 0);
    printf("%Lf %Lf %Lf %Lf\n", nan, inf * 0, a - a + (nan - nan), -nan); // the processor's is -nan
    long double arr[3] = {1, 2, 3};
    arr[1] += arr[2];
    show("arr", arr[0] + arr[1]);
    printf("%zu %zu\n", sizeof a, _Alignof(long double));
    show("exp", expl(1));
    show("log", logl(10));
    show("sin", sinl(1));
    show("pow", powl(2, 0.5L));
    long double parsed;
    sscanf("3.14159265358979323846", "%Lf", &parsed);
    show("parsed", parsed);
    return 0;
}
