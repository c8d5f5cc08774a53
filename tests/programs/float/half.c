#include <stdio.h>
#include <string.h>

static unsigned bits(_Float16 h) {
    unsigned short u;
    memcpy(&u, &h, 2);
    return u;
}

int main(void) {
    static const float samples[] = {0, 1, -1.5f, 0.1f, 65504, 1e-5f, 6e-8f, 3.140625f, 1000.7f};
    for (unsigned i = 0; i < 9; i++)
        for (unsigned j = 0; j < 9; j++) {
            volatile _Float16 a = (_Float16)samples[i], b = (_Float16)samples[j];
            printf("%x %x %x %d%d%d\n", bits(a + b), bits(a - b), bits(a * b), a < b, a == b,
                   a >= b);
            if (b != 0) printf("%x\n", bits(a / b));
            printf("%a %a %d %x\n", (double)a, (float)b, (int)a,
                   bits((_Float16)(double)samples[j]));
        }
    _Float16 sum = 0;
    for (int i = 1; i < 50; i++) sum += (_Float16)1 / (_Float16)i;
    printf("%x %g %x\n", bits(sum), (double)sum, bits((_Float16)12345));
    return 0;
}
