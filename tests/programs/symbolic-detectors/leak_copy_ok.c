//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char word[3];
    fathom_make_symbolic(word, 2, "word");
    word[2] = 0;
    char *copy = strdup(word);
    if (copy[0] == 'q') copy[0] = 'Q';
    free(copy);
    return 0;
}
// expect: exits 0
