#include <stdarg.h>
#include <stdio.h>

struct small {
    int a, b;
};
struct mixed {
    double d;
    int i;
};
struct big {
    long v[4];
};
struct floats {
    float x, y, z;
};
typedef int ints __attribute__((vector_size(16)));

static void show(const char *types, ...) {
    va_list ap;
    va_start(ap, types);
    for (; *types; types++) switch (*types) {
        case 'i': printf("%d ", va_arg(ap, int)); break;
        case 'u': printf("%u ", va_arg(ap, unsigned)); break;
        case 'l': printf("%ld ", va_arg(ap, long)); break;
        case 'd': printf("%g ", va_arg(ap, double)); break;
        case 'L': printf("%Lg ", va_arg(ap, long double)); break;
        case 's': printf("%s ", va_arg(ap, char *)); break;
        case 'S': {
            struct small s = va_arg(ap, struct small);
            printf("{%d %d} ", s.a, s.b);
            break;
        }
        case 'M': {
            struct mixed m = va_arg(ap, struct mixed);
            printf("{%g %d} ", m.d, m.i);
            break;
        }
        case 'B': {
            struct big b = va_arg(ap, struct big);
            printf("{%ld %ld} ", b.v[0], b.v[3]);
            break;
        }
        case 'F': {
            struct floats f = va_arg(ap, struct floats);
            printf("{%g %g %g} ", f.x, f.y, f.z);
            break;
        }
        case 'V': {
            ints v = va_arg(ap, ints);
            printf("<%d %d %d %d> ", v[0], v[1], v[2], v[3]);
            break;
        }
        case 'C': {
            _Complex float c = va_arg(ap, _Complex float);
            printf("(%g %g) ", __real__ c, __imag__ c);
            break;
        }
        case 'h': printf("%g ", (double)va_arg(ap, _Float16)); break;
        case 'q': {
            __int128 q = va_arg(ap, __int128);
            printf("%llx:%llx ", (unsigned long long)(q >> 64), (unsigned long long)q);
            break;
        }
        }
    va_end(ap);
    printf("\n");
}

static long sum(int n, va_list ap) {
    long s = 0;
    while (n--) s = s * 10 + va_arg(ap, int);
    return s;
}
static void twice(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    printf("%ld ", sum(n, a));
    printf("%ld\n", sum(n, b));
    va_end(a);
    va_end(b);
}
static void partly(int n, ...) {
    va_list a, b;
    va_start(a, n);
    int first = va_arg(a, int);
    va_copy(b, a);
    printf("%d %ld ", first, sum(n - 1, b));
    va_end(b);
    va_list *p = &a;
    printf("%d %ld\n", va_arg(*p, int), sum(n - 2, *p));
    va_end(a);
}
static int forward(const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    int n = vprintf(f, ap);
    va_end(ap);
    return n;
}
static int fixed(int a, double b, struct big c, long double d, struct floats e, ints f, ...) {
    va_list ap;
    va_start(ap, f);
    int r = va_arg(ap, int) + va_arg(ap, int) + (int)va_arg(ap, double);
    va_end(ap);
    return r + a + (int)b + (int)c.v[1] + (int)d + (int)e.z + f[0];
}

int main(void) {
    struct small s = {1, -2};
    struct mixed m = {2.5, 7};
    struct big b = {{1, 2, 3, 4}};
    struct floats f = {1, 2, 3};
    show("iuldLs", -1, 4000000000u, 1L << 40, 2.5, 3.5L, "text");
    show("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    show("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
    show("idididididididididid", 1, 1., 2, 2., 3, 3., 4, 4., 5, 5., 6, 6., 7, 7., 8, 8., 9, 9., 10,
         10.);
    show("SMBFSMBFSMBF", s, m, b, f, s, m, b, f, s, m, b, f);
    show("iiiiMdS", 1, 2, 3, 4, m, 9., s);
    show("iiiiiSlBLiLq", 1, 2, 3, 4, 5, s, 6L, b, 7.25L, 8, 9.5L, (__int128)1 << 100);
    show("qLqiqLd", (__int128)-1, 1.5L, (__int128)5, 3, (__int128)1 << 64, 2.5L, 4.);
    ints v = {1, -2, 3, -4};
    _Complex float c = 1.5f + 2.5if;
    _Float16 h = 0.5;
    show("FVChdi", f, v, c, h, 2., 3);
    show("FFFVCiVhF", f, f, f, v, c, 1, v, h, f);
    show("ddddddddChViVF", 1., 2., 3., 4., 5., 6., 7., 8., c, h, v, 1, v, f);
    twice(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    partly(8, 8, 7, 6, 5, 4, 3, 2, 1);
    printf("%d\n", forward("%s %c %5.2f %lld %x %%\n", "fwd", 'c', 3.14159, -5LL, 255));
    printf("%d\n", fixed(1, 2, b, 4, f, v, 10, 20, 30.));
    printf("%hhd %hd %c %f\n", (char)-1, (short)-2, 'x', 1.5f);
    return 0;
}
