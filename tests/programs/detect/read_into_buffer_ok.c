//@ stdin: more bytes than the buffer holds
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char b[8];
    ssize_t n;
    while ((n = read(0, b, 8)) > 0) printf("%zd %.*s\n", n, (int)n, b);
    return 0;
}
