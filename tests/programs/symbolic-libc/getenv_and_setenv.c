#include <fathom.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char value[3];
    fathom_make_symbolic(value, sizeof value, "value");
    value[2] = 0;
    setenv("MODE", value, 1);
    if (!strcmp(getenv("MODE"), "on")) return 1;
    return 0;
}
// expect: exits 0 1
