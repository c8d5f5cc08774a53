//@ cc: -fsanitize=undefined
#include <fathom.h>
static int table[3][4] = {{1}, {2}, {3}};
int main(void) {
    int row = fathom_range(0, 3, "row"), column = fathom_range(0, 4, "column");
    if (table[row][column] > 3) return 1;
    return 0;
}
// expect: exits 0
