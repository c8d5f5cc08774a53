#include <fathom.h>
#include <stdlib.h>
static int table[100];
int main(void) {
    char s[4];
    fathom_make_symbolic(s, sizeof s, "s");
    s[3] = 0;
    int i = atoi(s);
    return table[i]; // expect: bug out-of-bounds-read
}
// expect: exits 0
