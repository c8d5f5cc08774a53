#include <fathom.h>
#include <string.h>
int main(void) {
    char s[5];
    fathom_make_symbolic(s, sizeof s, "s");
    s[4] = 0;
    int n = 0;
    for (char *word = strtok(s, " ,"); word; word = strtok(NULL, " ,")) n++;
    switch (n) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: return 9;
    }
}
// expect: exits 0 1 2
