#include <fathom.h>
#include <string.h>
int main(void) {
    char text[4];
    fathom_make_symbolic(text, 3, "text");
    text[3] = 0;
    char *sign = strchr(text, '=');
    return sign ? strlen(sign) > 3 : 0;
}
// expect: exits 0
