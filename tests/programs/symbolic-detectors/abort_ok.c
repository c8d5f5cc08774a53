#include <fathom.h>
#include <stdlib.h>
int main(void) {
    unsigned x = fathom_int("x");
    if (x % 2 + x / 2 * 2 != x) abort();
    return 0;
}
