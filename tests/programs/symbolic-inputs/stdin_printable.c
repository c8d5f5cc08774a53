//@ run: --sym-stdin 1 --printable
#include <stdio.h>
int main(void) {
    int c = getchar();
    if (c == '\n' || c == '\t') return 1;
    if (c < ' ' || c > '~') return 2;
    return 0;
}
// expect: exits 0 1
