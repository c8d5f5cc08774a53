// The value's second word is looked for behind a blank that need not be there.
//@ run: --sym-env WORDS 3
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *value = getenv("WORDS");
    if (!value) return 2;
    char *second = value;
    while (*second != ' ') second++; // expect: bug out-of-bounds-read
    if (second == value + 1) return 1;
    return 0;
}
// expect: exits 0 1
