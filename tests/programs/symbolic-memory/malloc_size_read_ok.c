#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int a = fathom_range(1, 4, "a"), b = fathom_range(1, 4, "b");
    char *text = malloc((size_t)(a + b));
    memset(text, 'x', (size_t)(a + b));
    char last = text[a + b - 1];
    free(text);
    return last == 'x' ? 0 : 1;
}
// expect: exits 0
