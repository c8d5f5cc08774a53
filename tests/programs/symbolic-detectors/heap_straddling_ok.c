#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(8, 1);
    int i = fathom_range(0, 5, "i");
    return *(int *)(p + i);
}
