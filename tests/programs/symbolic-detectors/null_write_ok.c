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
    if (!text) return 1;
    text[size] = 0;
    free(text);
    return 0;
}
// expect: exits 0 1
