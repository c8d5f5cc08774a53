// Every store is wrong, in two ways.
//@ run: --sym-stdin 1
#include <unistd.h>
static const char text[3] = "ab";
int main(void) {
    unsigned char b;
    if (read(0, &b, 1) != 1) return 9;
    ((char *)text)[b & 3] = 1; // expect: bug read-only-write out-of-bounds-write
    return 0;
}
