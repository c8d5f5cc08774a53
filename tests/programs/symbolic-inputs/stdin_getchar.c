//@ args: --sym-stdin 2
#include <stdio.h>
int main(void) {
    int a = getchar(), b = getchar(), c = getchar();
    if (c != EOF) return 9;
    if (a == b) return 1;
    if (a == '\n') return 2;
    return 0;
}
// expect: exits 0 1 2
// expect: paths 3
