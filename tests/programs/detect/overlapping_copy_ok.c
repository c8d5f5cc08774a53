#include <stdio.h>
#include <string.h>
int main(void) {
    char a[32] = "0123456789abcdef";
    memcpy(a + 16, a, 10);
    memmove(a + 2, a, 10);
    memcpy(a + 3, a, 3);
    printf("%.26s\n", a);
    return 0;
}
