// The word is changed in place, the default one as well.
#include <fathom.h>
#include <string.h>
static char *word_or_default(char *word) { return word[0] ? word : "none"; }
int main(void) {
    char word[4];
    fathom_make_symbolic(word, 3, "word");
    word[3] = 0;
    for (char *p = word_or_default(word); *p; p++) {
        if (*p >= 'a' && *p <= 'z') *p -= 'a' - 'A'; // expect: bug read-only-write
    }
    return 0;
}
// expect: exits 0
