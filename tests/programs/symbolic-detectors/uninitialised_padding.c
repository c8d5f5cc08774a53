// Two records are compared with their padding.
//@ run: --check-uninit
#include <fathom.h>
#include <string.h>
struct record { char kind; int value; };
int main(void) {
    struct record a, b;
    int same = 0;
    memset(&b, 0, sizeof b);
    a.kind = b.kind = 'x';
    a.value = b.value = fathom_int("value");
    if (memcmp(&a, &b, sizeof a) == 0) same++; // expect: bug uninitialised-read
    return same > 1;
}
// expect: exits 0
