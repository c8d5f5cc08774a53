#include <fathom.h>
int main(void) {
    int a = fathom_int("a"), b = fathom_int("b"), c = fathom_int("c");
    int both = a > 3 && b < 4, either = a > 3 || b < 4, choice = c ? a : b;
    if (both && !either) return 9;
    if (choice == 7 && both) return 1;
    return 0;
}
// expect: exits 0 1
