#include <math.h>
#include <stdio.h>
#include <string.h>

static const double samples[] = {
    0.0, -0.0, 1.0, -1.5, 0.1, 1e10, 1e-10, 3.14159265358979, 1e308, 5e-324, INFINITY, -INFINITY};

static unsigned long long bits(double d) {
    unsigned long long u;
    memcpy(&u, &d, 8);
    return d != d ? 1 : u;
}
static unsigned fbits(float d) {
    unsigned u;
    memcpy(&u, &d, 4);
    return d != d ? 1 : u;
}

int main(void) {
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++)
        for (unsigned j = 0; j < sizeof samples / sizeof *samples; j++) {
            volatile double a = samples[i], b = samples[j];
            printf("%llx %llx %llx %llx %llx\n", bits(a + b), bits(a - b), bits(a * b), bits(a / b),
                   bits(-a));
            volatile float x = (float)a, y = (float)b;
            printf("%x %x %x %x %x\n", fbits(x + y), fbits(x - y), fbits(x * y), fbits(x / y),
                   fbits(-x));
            printf("%d%d%d%d%d%d\n", a<b, a <= b, a> b, a >= b, a == b, a != b);
        }
    volatile double nan = NAN, one = 1;
    printf("%d%d%d%d%d%d\n", nan<one, nan <= one, nan> one, nan >= one, nan == nan, nan != nan);
    printf("%d%d%d%d%d\n", isless(nan, one), isunordered(nan, one), isnan(nan), !(nan < one),
           !(nan >= one));
    return 0;
}
