#include <fathom.h>
struct flags { unsigned a : 3, b : 5; signed c : 4; unsigned d : 20; };
int main(void) {
    struct flags f;
    fathom_make_symbolic(&f, sizeof f, "f");
    if (f.c < -8 || f.c > 7) return 9;
    f.a++;
    if (f.a == 0 && f.b == 17 && f.c == -3) return 1;
    if (f.d == 0x54321) return 2;
    return 0;
}
// expect: exits 0 1 2
