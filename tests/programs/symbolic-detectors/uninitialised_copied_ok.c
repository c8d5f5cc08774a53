// Padding and unused bytes are copied, which is no decision.
//@ run: --check-uninit
#include <fathom.h>
#include <string.h>
struct record { char kind; int value; char name[8]; };
int main(void) {
    struct record one, two;
    one.kind = 'a';
    one.value = fathom_int("value");
    strcpy(one.name, "abc");
    two = one;
    struct record three[2];
    memcpy(&three[1], &two, sizeof two);
    if (three[1].value == 12 && !strcmp(three[1].name, "abc")) return 1;
    return 0;
}
// expect: exits 0 1
