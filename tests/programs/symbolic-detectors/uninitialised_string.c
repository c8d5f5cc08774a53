// strncpy of a short piece leaves no end.
//@ run: --check-uninit
#include <fathom.h>
#include <string.h>
int main(void) {
    int longer = 0;
    char word[3], copy[8];
    fathom_make_symbolic(word, 2, "word");
    word[2] = 0;
    strncpy(copy, word, 2);
    if (strlen(copy) > 2) longer++; // expect: bug uninitialised-read
    return longer > 1;
}
