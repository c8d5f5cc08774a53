//@ stdin: first line\nsecond\n\nlast without newline
#include <ctype.h>
#include <stdio.h>
int main(void) {
    int c, lines = 0, words = 0, bytes = 0, in = 0;
    while ((c = getchar()) != EOF) {
        bytes++;
        lines += c == '\n';
        if (isspace(c))
            in = 0;
        else if (!in)
            in = 1, words++;
        putchar(toupper(c));
    }
    printf("\n%d %d %d %d\n", lines, words, bytes, feof(stdin) != 0);
    return 0;
}
