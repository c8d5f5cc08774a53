#include <fathom.h>
#include <stdlib.h>
#include <unistd.h>
static int x;
static void late(void) {
    if (x == 5) _exit(7);
}
int main(void) {
    atexit(late);
    x = fathom_int("x");
    return x == 5 ? 1 : 0;
}
// expect: exits 0 7
