#include <fathom.h>
int main(void) {
    static void *const labels[] = {&&add, &&sub, &&stop};
    unsigned char code[3];
    fathom_make_symbolic(code, sizeof code, "code");
    int value = 0;
    unsigned char *pc = code;
next:
    if (pc == code + 3) return value == 3 ? 3 : 4;
    if (*pc > 2) return 9;
    goto *labels[*pc++];
add:
    value++;
    goto next;
sub:
    value--;
    goto next;
stop:
    return 5;
}
// expect: exits 3 4 5 9
// expect: covered
