// Freed in its middle, for all but one value.
#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    int skip = fathom_range(0, 2, "skip");
    free(p + skip); // expect: bug invalid-free
    return 0;
}
// expect: input skip=1
// expect: exits 0
