#include <fathom.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(8, 1);
    int i = fathom_range(0, 9, "i");
    fathom_check_access(p + i, 1); // expect: bug out-of-bounds-read
    return 0;
}
// expect: input i=8
