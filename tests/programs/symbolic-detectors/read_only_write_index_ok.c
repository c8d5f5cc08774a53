#include <fathom.h>
static const int table[4] = {1, 2, 3, 4};
int main(void) {
    int own[4];
    int i = fathom_range(0, 4, "i");
    own[i] = table[i];
    if (own[i] != i + 1) return 1;
    return 0;
}
// expect: exits 0
