//@ cc: -fsanitize=alignment
#include <fathom.h>
static _Alignas(8) char packet[16];
int main(void) {
    int header = fathom_range(4, 9, "header");
    int *word = (int *)(packet + (header + 3 & ~3));
    return *word;
}
// expect: exits 0
