#include <stdio.h>
int main(void) {
    int n = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 3) continue;
        if (i == 8) break;
        n = n * 10 + i;
    }
    printf("%d\n", n);
    n = 27;
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    printf("%d\n", steps);
    do {
        n *= 3;
    } while (n < 1000);
    printf("%d\n", n);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            if (i * j == 6) {
                printf("%d %d\n", i, j);
                goto found;
            }
        }
    printf("none\n");
found:
    n = 0;
loop:
    if (n++ < 5) goto loop;
    printf("%d\n", n);
    goto middle;
    for (n = 100; n < 105; n++) {
    middle:
        printf("%d ", n);
        if (n < 50) n = 101;
    }
    printf("\n");
    int a = 1, b = 0, c;
    for (int i = 0; i < 40; i++) {
        c = a + b;
        b = a;
        a = c;
    }
    printf("%d %d\n", a, b);
    int x = 1, y = 2, z = 3;
    for (int i = 0; i < 7; i++) {
        int t = x;
        x = y;
        y = z;
        z = t;
    }
    printf("%d %d %d\n", x, y, z);
    unsigned sieve[64] = {0};
    int count = 0;
    for (unsigned i = 2; i < 2048; i++) {
        if (sieve[i / 32] >> i % 32 & 1) continue;
        count++;
        for (unsigned j = i * i; j < 2048; j += i) sieve[j / 32] |= 1u << j % 32;
    }
    printf("%d\n", count);
    for (unsigned char u = 250; u > 5; u++) printf("%u ", u);
    printf("\n");
    for (;;) {
        if (--count < 300) break;
    }
    ({
        int q = count;
        q * 2;
    });
    printf("%d\n", ({
               int q = count;
               q + 1;
           }));
    return count & 0x7f;
}
