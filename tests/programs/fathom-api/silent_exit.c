#include <fathom.h>
int main(void) {
    if (fathom_int("x") == 0) fathom_silent_exit(1);
    return 0;
}
// expect: tests 1
