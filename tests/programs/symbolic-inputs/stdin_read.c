//@ run: --sym-stdin 3
#include <unistd.h>
int main(void) {
    char b[8] = {0};
    long n = read(0, b, sizeof b);
    if (n != 3) return 9;
    if (b[0] == 'f' && b[1] == 'o' && b[2] == 'x') return 1;
    return 0;
}
// expect: exits 0 1
// expect: paths 4
