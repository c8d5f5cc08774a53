// The format itself is symbolic.
#include <fathom.h>
#include <stdio.h>
int main(void) {
    char format[3], text[32];
    fathom_make_symbolic(format, sizeof format, "format");
    format[2] = 0;
    if (format[0] == '%' && format[1] != 'd' && format[1] != 'x' && format[1] != '%') return 5;
    int n = snprintf(text, sizeof text, format, 258);
    if (n == 3) return text[0] == '1' ? 2 : text[0] == '2' ? 3 : 9;
    return 0;
}
// expect: exits 0 2 3 5
