#include <assert.h>
#include <fathom.h>
static const int low[3] = {1, 2, 3}, high[3] = {10, 20, 30};
static const int *const rows[2] = {low, high};
int main(void) {
    int r = fathom_range(0, 2, "row"), c = fathom_range(0, 3, "column");
    if (rows[r][c] == 20) {
        assert(r == 1 && c == 1);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
