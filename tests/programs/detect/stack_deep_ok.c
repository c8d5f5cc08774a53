#include <stdio.h>
static long deep(int n) {
    volatile char pad[100];
    pad[n % 100] = (char)n;
    return n ? deep(n - 1) + pad[n % 100] : 0;
}
int main(void) {
    printf("%ld\n", deep(30000));
    return 0;
}
