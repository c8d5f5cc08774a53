#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const double v[] = {0,   1,   -1,       0.1,   123456789.123456789, 1e100, 1e-100, 2.5,
                               3.5, 0.5, 999999.5, 5e-324};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
        printf("%f %e %g %.0f %.20g %10.3f|%-12.4e|%+g %#g %a\n", v[i], v[i], v[i], v[i], v[i],
               v[i], v[i], v[i], v[i], v[i]);
    static const char *const texts[] = {
        "1",     "-1.5e3", "0x1.8p3",   "inf", "nan",
        "1e400", "1e-400", "  7.25xyz", "0.1", "123456789012345678901234567890",
        "x"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        double d = strtod(texts[i], &end);
        printf("%a %s | %a | %La\n", d, end, strtof(texts[i], 0), strtold(texts[i], 0));
        printf("%ld %ld %lu %d\n", strtol(texts[i], 0, 10), strtol(texts[i], 0, 0),
               strtoul(texts[i], 0, 16), atoi(texts[i]));
    }
    int a;
    unsigned u;
    char word[20];
    double d;
    float f;
    long long ll;
    char c;
    int n = sscanf("42 0xff hello 2.5 1e3 -9000000000 z", "%d %x %19s %lf %f %lld %c", &a, &u, word,
                   &d, &f, &ll, &c);
    printf("%d %d %u %s %g %g %lld %c\n", n, a, u, word, d, f, ll, c);
    return 0;
}
