// A symbolic read as a condition on the index.
#include <assert.h>
#include <fathom.h>
static int squares[100];
int main(void) {
    for (int i = 0; i < 100; i++) squares[i] = i * i;
    int i = fathom_range(0, 100, "i");
    if (squares[i] == 5041) {
        assert(i == 71);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
// expect: paths 2
