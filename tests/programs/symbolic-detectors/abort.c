#include <fathom.h>
#include <stdlib.h>
int main(void) {
    if (fathom_int("x") == -3) abort(); // expect: bug abort
    return 0;
}
// expect: input x=-3
