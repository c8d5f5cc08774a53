//@ stdin: more bytes than the buffer holds
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char *p = malloc(8);
    ssize_t n = read(0, p, 20); // expect: bug out-of-bounds-write
    free(p);
    return (int)n;
}
