// A copy that the library has made, of a symbolic size.
//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char word[3];
    fathom_make_symbolic(word, 2, "word");
    word[2] = 0;
    char *copy = strdup(word); // expect: bug leak
    if (copy[0] != 'q') free(copy);
    return 0;
}
// expect: exits 0
