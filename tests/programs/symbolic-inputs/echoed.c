// Symbolic bytes are printed. Until its first write, stdio flushes at a newline: one more path.
//@ run: --sym-stdin 2
#include <stdio.h>
int main(void) {
    int c;
    while ((c = getchar()) != EOF) putchar(c == 'a' ? 'A' : c);
    return 0;
}
// expect: paths 8
