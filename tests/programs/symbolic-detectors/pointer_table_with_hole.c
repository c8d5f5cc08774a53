// Wrong entries of a table of pointers, in the middle of it, keep no path from the right ones.
//@ run: --sym-stdin 1
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    unsigned char b;
    if (read(0, &b, 1) != 1) return 9;
    char *one = malloc(1), *two = malloc(1), *three = malloc(1);
    if (!one || !two || !three) return 8;
    *one = 1, *two = 2, *three = 3;
    char *table[] = {0, one, 0, two, (char *)-1, three};
    return *table[b % 6]; // expect: bug null-dereference out-of-bounds-read
}
// expect: exits 1 2 3
