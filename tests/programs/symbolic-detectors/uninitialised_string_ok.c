// The library may look at whole words, of which the last bytes are nobody's.
//@ run: --check-uninit
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *text = malloc(16);
    fathom_make_symbolic(text, 2, "text");
    text[2] = 0;
    size_t length = strlen(text);
    if (length > 2) return 1;
    if (strchr(text, 'q') == text + 1) return 2;
    if (memchr(text, 'z', length)) return 3;
    free(text);
    return 0;
}
// expect: exits 0 2 3
