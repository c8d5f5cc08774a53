//@ args: A --sym-files 2 2 B
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc != 3 || strcmp(argv[1], "A") || strcmp(argv[2], "B")) return 9;
    FILE *a = fopen("A", "r"), *b = fopen("B", "r");
    if (!a || !b) return 8;
    if (getc(a) != getc(b)) return 0;
    if (getc(a) != getc(b)) return 1;
    return 2;
}
// expect: exits 0 1 2
// expect: paths 3
