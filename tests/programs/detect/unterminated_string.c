#include <stdio.h>
#include <string.h>
int main(void) {
    char a[3];
    memcpy(a, "abc", 3);
    printf("%s\n", a); // expect: bug out-of-bounds-read
    return 0;
}
