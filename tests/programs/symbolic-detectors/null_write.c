// An allocation that may fail by the caller's choice, written to without a look.
#include <fathom.h>
#include <stdlib.h>
static char *copy(unsigned size) {
    if (size > 200) return NULL;
    return malloc(size + 1);
}
int main(void) {
    unsigned char size;
    fathom_make_symbolic(&size, 1, "size");
    char *text = copy(size);
    text[size] = 0; // expect: bug null-dereference
    free(text);
    return 0;
}
// expect: exits 0
