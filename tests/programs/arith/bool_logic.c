#include <stdbool.h>
#include <stdio.h>

static int calls;
static bool yes(int n) {
    calls = calls * 10 + n;
    return true;
}
static bool no(int n) {
    calls = calls * 10 + n;
    return false;
}

int main(void) {
    volatile bool t = true, f = false;
    printf("%d %d %d %d %d\n", t && f, t || f, !t, t ^ f, t & t);
    printf("%d %d %d\n", t == f, t != f, t > f);
    bool b = 42;
    bool c = 0.5;
    bool d = (void *)0;
    bool e = &calls;
    printf("%d %d %d %d %zu\n", b, c, d, e, sizeof(bool));
    b ^= 1;
    c |= f;
    printf("%d %d\n", b, c);
    calls = 0;
    printf("%d", no(1) && yes(2));
    printf("%d", yes(3) || no(4));
    printf("%d", (no(5) || yes(6)) && !no(7));
    printf(" %d\n", calls);
    int n = 0;
    for (int i = 0; i < 100; i++) n += (i % 3 == 0) ? (i % 5 == 0 ? 100 : 1) : (i % 5 == 0);
    printf("%d\n", n);
    b++;
    printf("%d\n", b);
    b--;
    printf("%d\n", b);
    return t ? (f ? 1 : 2) : 3;
}
