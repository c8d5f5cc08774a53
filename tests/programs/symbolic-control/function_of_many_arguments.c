#include <assert.h>
#include <fathom.h>
static int pick(int n, int a, char b, short c, long d, int e, int f, int g, int h) {
    switch (n) {
    case 0: return a;
    case 1: return b;
    case 2: return c;
    case 3: return (int)d;
    default: return e + f + g + h;
    }
}
int main(void) {
    int n = fathom_int("n"), v = fathom_int("v");
    int got = pick(n, v, (char)v, (short)v, v, v, 0, 0, 0);
    if (n == 0 && got != v) return 9;
    if (n == 1 && got == 200) return 9;
    if (n == 2 && got == -5) {
        assert((v & 0xffff) == 0xfffb);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
