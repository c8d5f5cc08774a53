#include <fathom.h>
#include <stdlib.h>
#include <string.h>
static char empty[1];
static char *name_of(int id) { return id < 0 ? empty : strdup("someone"); }
int main(void) {
    char *name = name_of(fathom_int("id"));
    char first = name[0];
    if (first) free(name);
    return first == 's' ? 0 : 1;
}
// expect: exits 0 1
