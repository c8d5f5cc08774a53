#include <fathom.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    int x = fathom_range(-20, 200, "x");
    char text[8];
    int n = snprintf(text, sizeof text, "%d", x);
    if (n != (int)strlen(text)) return 9;
    printf("%s\n", text);
    switch (n) {
    case 1: return 1;
    case 2: return 2;
    case 3: return 3;
    default: return 8;
    }
}
// expect: exits 1 2 3
