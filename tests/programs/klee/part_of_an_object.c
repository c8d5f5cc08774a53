// Only the bytes named become symbolic.
#include <klee/klee.h>
int main(void) {
    char a[8] = "abcdefg";
    klee_make_symbolic(a + 2, 3, "middle");
    if (a[1] != 'b' || a[5] != 'f') return 9;
    if (a[2] == 'X' && a[4] == 'Z') return 1;
    return 0;
}
// expect: exits 0 1
