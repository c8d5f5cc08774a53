#include <fathom.h>
int main(void) {
    switch (fathom_int("x") & 1) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    }
    return 3;
}
// expect: exits 0 1
// expect: paths 2
