// A word behind a header of symbolic length.
//@ cc: -fsanitize=alignment
#include <fathom.h>
static _Alignas(8) char packet[16];
int main(void) {
    int header = fathom_range(4, 9, "header");
    int *word = (int *)(packet + header);
    return *word; // expect: bug misaligned-or-null
}
// expect: exits 0
