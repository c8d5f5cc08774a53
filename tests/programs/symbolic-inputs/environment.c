//@ run: --sym-env COLOUR 3
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *colour = getenv("COLOUR");
    if (!colour) return 9;
    if (!strcmp(colour, "red")) return 1;
    if (!*colour) return 2;
    return 0;
}
// expect: exits 0 1 2
