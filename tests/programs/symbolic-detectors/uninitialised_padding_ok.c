//@ run: --check-uninit
#include <fathom.h>
#include <string.h>
struct record { char kind; int value; };
int main(void) {
    struct record a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.kind = b.kind = 'x';
    a.value = b.value = fathom_int("value");
    if (memcmp(&a, &b, sizeof a) == 0) return 0;
    return 1;
}
// expect: exits 0
