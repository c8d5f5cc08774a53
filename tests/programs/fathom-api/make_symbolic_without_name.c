#include <fathom.h>
int main(void) {
    int x;
    fathom_make_symbolic(&x, sizeof x, 0);
    if (x == 3) fathom_report_error(__FILE__, __LINE__, "three", "own"); // expect: bug reported
    return 0;
}
// expect: input unnamed=3
