#include <complex.h>
#include <stdio.h>

static double complex twice(double complex z) { return 2 * z; }
static float complex swapped(float complex z) { return cimagf(z) + crealf(z) * I; }
static long double complex third(long double complex z) { return z / 3; }

int main(void) {
    volatile double a = 1.5, b = -2.25;
    double complex z = a + b * I, w = 3 - 0.5 * I;
    double complex r[] = {z + w, z - w, z * w, z / w, -z, conj(z), twice(z), z * z * z, 1 / w};
    for (unsigned i = 0; i < sizeof r / sizeof *r; i++) printf("%a %a\n", creal(r[i]), cimag(r[i]));
    float complex f = swapped(1 + 2 * I) * (float)a;
    printf("%a %a %d %d\n", crealf(f), cimagf(f), z == w, z != w);
    long double complex l = third(z) * third(w);
    printf("%La %La\n", creall(l), cimagl(l));
    printf("%a %a %a\n", cabs(z), carg(z), creal(csqrt(z)));
    double complex e = cexp(I * 3.14159265358979);
    printf("%.12f %.12f\n", creal(e), cimag(e));
    return 0;
}
