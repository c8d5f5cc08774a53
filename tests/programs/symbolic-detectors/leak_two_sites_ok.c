//@ run: --check-leaks
#include <fathom.h>
#include <stdlib.h>
static char *name, *value;
int main(void) {
    name = malloc(8);
    value = malloc(64);
    if (fathom_int("x") == 9) {
        free(name);
        free(value);
        name = value = NULL;
    }
    return 0;
}
// expect: exits 0
