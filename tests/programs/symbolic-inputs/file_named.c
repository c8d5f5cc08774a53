//@ run: --sym-file data.txt 2
#include <stdio.h>
int main(void) {
    FILE *f = fopen("data.txt", "r");
    if (!f) return 9;
    int a = getc(f), b = getc(f);
    if (getc(f) != EOF) return 8;
    if (a == 'o' && b == 'k') return 1;
    return 0;
}
// expect: exits 0 1
