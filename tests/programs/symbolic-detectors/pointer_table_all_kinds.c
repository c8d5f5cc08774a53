// A pointer out of a table can be wrong in several ways, and right: no way hides another.
//@ run: --sym-stdin 2
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    unsigned char b[2];
    if (read(0, b, 2) != 2) return 1;
    char *live = malloc(4), *freed = malloc(4), *last = malloc(4);
    if (!live || !freed || !last) return 2;
    free(freed);
    char *table[] = {live, 0, freed, last};
    char *chosen = table[b[0] & 3];
    chosen[b[1] & 7] = 1; // expect: bug null-dereference use-after-free out-of-bounds-write
    return chosen == last ? 4 : 3;
}
// expect: exits 3 4
