#include <fathom.h>
#include <signal.h>
int main(void) {
    if (fathom_int("x") == 3) raise(SIGTERM);
    return 0;
}
// expect: exits 0
// expect: paths 2
// expect: tests 2
