#include <fathom.h>
#include <string.h>
int main(void) {
    unsigned word;
    memset(&word, fathom_int("c"), sizeof word);
    if (word == 0x41414141) return 1;
    if (word == 0x41414142) return 9;
    return 0;
}
// expect: exits 0 1
