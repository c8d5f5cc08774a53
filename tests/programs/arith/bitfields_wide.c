// A run of bit-fields longer than 128 bits is one integer to the compiler.
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) wide {
    unsigned long a : 60;
    long b : 61;
    unsigned c : 15;
};

static struct wide global = {0x0123456789abcdeUL, -5, 77};

int main(void) {
    struct wide w;
    memset(&w, 0, sizeof w);
    for (int i = 0; i < 70; i += 3) {
        w.a = 0xfedcba9876543UL << i % 9;
        w.b = -i * 1234567890123L;
        w.c = (unsigned)i * 401;
        printf("%lx %ld %u\n", (unsigned long)w.a, (long)w.b, w.c);
    }
    global.b -= 7;
    printf("%zu %lx %ld %u\n", sizeof global, (unsigned long)global.a, (long)global.b, global.c);
    return 0;
}
