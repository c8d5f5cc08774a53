// A switch over all names of an enumeration; the file's byte has other values as well.
#include <fathom.h>
enum shape { POINT, LINE, AREA };
static int corners(enum shape shape) {
    switch (shape) {
    case POINT: return 1;
    case LINE: return 2;
    case AREA: return 4;
    }
    __builtin_unreachable(); // expect: bug unreachable
}
int main(void) {
    unsigned char byte;
    fathom_make_symbolic(&byte, 1, "byte");
    return corners((enum shape)byte);
}
// expect: exits 1 2 4
