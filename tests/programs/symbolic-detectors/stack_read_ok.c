#include <fathom.h>
int main(void) {
    char a[4] = {0};
    unsigned i = fathom_int("i");
    return a[i & 3];
}
