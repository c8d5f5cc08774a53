#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    if (x > 5 && x < 7) fathom_report_error(__FILE__, __LINE__, "six", "own"); // expect: bug reported
    return 0;
}
// expect: input x=6
