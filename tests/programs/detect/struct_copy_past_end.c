#include <stdlib.h>
struct big { long v[8]; };
int main(void) {
    struct big *p = malloc(32), b;
    b = *p; // expect: bug out-of-bounds-read
    return (int)b.v[0];
}
