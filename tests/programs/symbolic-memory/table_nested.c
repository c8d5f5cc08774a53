#include <assert.h>
#include <fathom.h>
static const unsigned char first[4] = {3, 1, 0, 2}, second[4] = {9, 8, 7, 6};
int main(void) {
    int i = fathom_range(0, 4, "i");
    if (second[first[i]] == 6) {
        assert(i == 0);
        return 1;
    }
    if (second[first[first[i]]] == 6) {
        assert(i == 2);
        return 2;
    }
    return 0;
}
// expect: exits 0 1 2
