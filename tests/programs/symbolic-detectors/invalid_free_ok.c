#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    int skip = fathom_range(0, 5, "skip");
    for (int i = 0; i < skip; i++) p++;
    free(p - skip);
    return 0;
}
// expect: exits 0
