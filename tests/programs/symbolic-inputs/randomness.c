//@ run: --sym-random 4
#include <sys/random.h>
int main(void) {
    unsigned value;
    if (getrandom(&value, sizeof value, 0) != sizeof value) return 9;
    if (value == 0xdeadbeef) return 1;
    return 0;
}
// expect: exits 0 1
