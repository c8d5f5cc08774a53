#include <fathom.h>
int main(void) {
    char c;
    fathom_make_symbolic(&c, 1, "c");
    switch (c) {
    case 'a' ... 'f': return 1;
    case '0' ... '9': return 2;
    case -1: return 3;
    }
    return 0;
}
// expect: exits 0 1 2 3
// expect: covered
