#include <stdio.h>
typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4ui __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef unsigned char v16qi __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef long long v4di __attribute__((vector_size(32)));
typedef float v3sf __attribute__((ext_vector_type(3)));
static void show(v4si v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }
static v4si twice(v4si v) { return v + v; }
static v4di wide(v4di a, v4di b) { return a * b - a; }
int main(void) {
    volatile int one = 1;
    v4si a = {one, -2, 3, -4}, b = {10, 20, 30, 40};
    show(a + b);
    show(a - b);
    show(a * b);
    show(b / a);
    show(b % (a + 5 * one));
    show(a & b);
    show(a | b);
    show(a ^ b);
    show(~a);
    show(-a);
    show(b << one);
    show(a >> 1);
    show(a < b);
    show(a == (v4si){1, 0, 3, 0});
    show(a > 0);
    show((v4si)((v4ui)a >> 28));
    show(twice(a));
    show((a & b) | (~a & (a - 1)));
    show(__builtin_shufflevector(a, b, 0, 5, 2, 7));
    show(__builtin_shufflevector(a, a, 3, 2, 1, 0));
    a[2] = 99;
    a[one] += 5;
    show(a);
    for (int i = 0; i < 4; i++) printf("%d ", a[i]);
    printf("\n");
    v4sf f = {1.5f, -2.5f, (float)one, 4}, g = f * f + 0.5f;
    printf("%g %g %g %g\n", g[0], g[1], g[2], g[3] / f[1]);
    show(__builtin_convertvector(f, v4si));
    show(f < g);
    f = __builtin_convertvector(b, v4sf) / 3;
    printf("%a %a\n", f[0], f[3]);
    v2df d = {0.1, 0.2};
    d = -d * 3 + (v2df){1, 2};
    printf("%a %a\n", d[0], d[1]);
    v16qi c;
    for (int i = 0; i < 16; i++) c[i] = (unsigned char)(i * 20);
    c += 100;
    c = c * 2 - (c >> 1);
    for (int i = 0; i < 16; i++) printf("%d ", c[i]);
    v8hi h = (v8hi)c;
    printf("\n%d %d\n", h[0], h[7]);
    v4di w = wide((v4di){1LL << 33, 2, -3, 4}, (v4di){5, 6, 7, 1LL << 40});
    printf("%lld %lld %lld %lld\n", w[0], w[1], w[2], w[3]);
    v4si arr[3] = {a, b, a * b};
    v4si sum = {0};
    for (int i = 0; i < 3; i++) sum += arr[i];
    show(sum);
    printf("%d %d %d\n", __builtin_reduce_add(sum), __builtin_reduce_max(sum),
           __builtin_reduce_xor(sum));
    show(__builtin_elementwise_max(a, b));
    v3sf t = {1, 2, 3};
    t.xy = t.yx;
    printf("%g %g %g %zu\n", t.x, t.y, t.z, sizeof t);
    typedef _Bool b4 __attribute__((ext_vector_type(4)));
    b4 m = __builtin_convertvector(a > b, b4);
    printf("%d%d%d%d\n", m[0], m[1], m[2], m[3]);
    return 0;
}
