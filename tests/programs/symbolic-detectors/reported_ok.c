#include <fathom.h>
int main(void) {
    int x = fathom_int("x");
    if (x > 5 && x < 6) fathom_report_error(__FILE__, __LINE__, "none", "own");
    return 0;
}
// expect: exits 0
