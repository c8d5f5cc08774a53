#include <stdio.h>
static int hide(int v) {
    __asm__("" : "+r"(v));
    return v;
}
int main(void) {
    int x = 5;
    __asm__ volatile("" ::: "memory");
    x = hide(x) + 1;
    __asm__ volatile("" : : "r"(&x) : "memory");
    printf("%d\n", x);
    double d = 2.5;
    __asm__ volatile("" : "+x"(d));
    printf("%g\n", d);
    return 0;
}
