// A word that begins inside and ends outside.
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = calloc(8, 1);
    int i = fathom_range(0, 6, "i");
    int v;
    char *q = p + i;
    v = *(int *)q; // expect: bug out-of-bounds-read
    return v;
}
// expect: input i=5
