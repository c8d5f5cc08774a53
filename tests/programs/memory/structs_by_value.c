#include <stdio.h>

struct one {
    char c;
};
struct ints {
    int a, b;
};
struct three {
    int a, b, c;
};
struct longs {
    long a, b;
};
struct big {
    long a[5];
};
struct floats {
    float x, y;
};
struct fff {
    float x, y, z;
};
struct doubles {
    double x, y;
};
struct mixed {
    double d;
    int i;
};
struct mixed2 {
    int i;
    float f;
    double d;
};
struct chars {
    char c[7];
};
struct sixteen {
    char c[16];
};
struct seventeen {
    char c[17];
};
struct ld {
    long double v;
};
struct ptr {
    const char *s;
    unsigned short n;
};
struct nested {
    struct ints a;
    struct floats b;
};
union u {
    int i;
    float f;
    char c[4];
};
struct empty {};

#define ECHO(T)                                                                                    \
    static T echo_##T(T v) { return v; }
typedef struct one one;
typedef struct ints ints;
typedef struct three three;
typedef struct longs longs;
typedef struct big big;
typedef struct floats floats;
typedef struct fff fff;
typedef struct doubles doubles;
typedef struct mixed mixed;
typedef struct mixed2 mixed2;
typedef struct chars chars;
typedef struct sixteen sixteen;
typedef struct seventeen seventeen;
typedef struct ld ld;
typedef struct ptr ptr;
typedef struct nested nested;
typedef union u u;
ECHO(one)
ECHO(ints) ECHO(three) ECHO(longs) ECHO(big) ECHO(floats) ECHO(fff) ECHO(doubles) ECHO(mixed)
    ECHO(mixed2) ECHO(chars) ECHO(sixteen) ECHO(seventeen) ECHO(ld) ECHO(ptr) ECHO(nested) ECHO(u)

        static big change(big b, int n, struct empty e, mixed m) {
    (void)e;
    b.a[0] += n;
    b.a[4] *= 2;
    b.a[1] = (long)m.d + m.i;
    return b;
}
static long long many(int a, ints b, double c, three d, longs e, big f, float g, mixed h, char i,
                      doubles j, doubles k, doubles l, doubles m, seventeen n) {
    return (long long)(a + b.a + b.b + c + d.a + d.b + d.c + e.a + e.b + f.a[0] + f.a[4] + g + h.d +
                       h.i + i + j.x + k.y + l.x + m.y + n.c[16]);
}

int main(void) {
    printf("%c\n", echo_one((one){'q'}).c);
    ints i = echo_ints((ints){-1, 2});
    printf("%d %d\n", i.a, i.b);
    three t = echo_three((three){1, -2, 3});
    printf("%d %d %d\n", t.a, t.b, t.c);
    longs l = echo_longs((longs){1L << 40, -5});
    printf("%ld %ld\n", l.a, l.b);
    big b = {{1, 2, 3, 4, 5}};
    big c = change(echo_big(b), 10, (struct empty){}, (mixed){2.5, 7});
    printf("%ld %ld %ld %ld\n", b.a[0], c.a[0], c.a[1], c.a[4]);
    floats f = echo_floats((floats){1.5f, -2});
    fff g = echo_fff((fff){1, 2, 3.25f});
    printf("%g %g %g %g\n", f.x, f.y, g.x + g.y, g.z);
    doubles d = echo_doubles((doubles){0.1, 0.2});
    mixed m = echo_mixed((mixed){9.75, -3});
    mixed2 m2 = echo_mixed2((mixed2){4, 0.5f, 8});
    printf("%a %a %g %d %d %g %g\n", d.x, d.y, m.d, m.i, m2.i, m2.f, m2.d);
    printf("%s %s %s\n", echo_chars((chars){"abcdef"}).c,
           echo_sixteen((sixteen){"fifteen letters"}).c,
           echo_seventeen((seventeen){"sixteen letters!"}).c);
    printf("%Lg %s %u\n", echo_ld((ld){2.5L}).v, echo_ptr((ptr){"text", 65535}).s,
           echo_ptr((ptr){"", 65535}).n);
    nested n = echo_nested((nested){{1, 2}, {3, 4}});
    printf("%d %g %d\n", n.a.b, n.b.x, echo_u((u){77}).i);
    printf("%lld\n", many(1, i, 2.5, t, l, b, 3.5f, m, 'a', d, d, (doubles){1, 2}, (doubles){3, 4},
                          (seventeen){{[16] = 9}}));
    big copy = b;
    copy.a[2] = 99;
    b = copy;
    printf("%ld\n", (b.a[2] == 99 ? copy : c).a[3]);
    return 0;
}
