// The column runs over into the next row, which is inside the table.
//@ cc: -fsanitize=undefined
#include <fathom.h>
static int table[3][4] = {{1}, {2}, {3}};
int main(void) {
    int row = fathom_range(0, 2, "row"), column = fathom_range(0, 5, "column");
    if (table[row][column] > 3) return 1; // expect: bug index-out-of-bounds
    return 0;
}
// expect: input column=4
// expect: exits 0
