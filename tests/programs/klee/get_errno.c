#include <errno.h>
#include <fcntl.h>
#include <klee/klee.h>
int main(void) {
    int x = klee_int("x");
    if (open("not-there", O_RDONLY) >= 0) return 9;
    if (klee_get_errno() != ENOENT) return 8;
    if (x == 1) return 1;
    return 0;
}
// expect: exits 0 1
