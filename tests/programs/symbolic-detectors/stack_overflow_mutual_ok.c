//@ run: --max-stack 1
#include <fathom.h>
static int value(const char *text);
static int sign(const char *text) {
    volatile char pad[2000];
    pad[0] = *text;
    return pad[0] == '-' ? -value(text + 1) : value(text);
}
static int value(const char *text) {
    volatile char pad[2000];
    pad[0] = *text;
    if (pad[0] == '1') return 1;
    return pad[0] == 'r' ? sign(text + 1) : 0;
}
int main(void) {
    char text[3] = {0};
    fathom_make_symbolic(text, 2, "text");
    return sign(text) == 7;
}
// expect: exits 0
