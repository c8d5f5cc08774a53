#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    int i = fathom_range(0, 8, "i");
    p[i] = 1;
    free(p);
    return 0;
}
