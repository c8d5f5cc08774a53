#include <assert.h>
#include <fathom.h>
#include <string.h>
static const char *const letters[] = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
static const int values[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
static int value(char c) {
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    default: return 100;
    }
}
int main(void) {
    int n = fathom_range(1, 100, "n"), rest = n, again = 0;
    char text[16] = "";
    for (int i = 4; i < 13; i++)
        for (; rest >= values[i]; rest -= values[i]) strcat(text, letters[i]);
    for (char *c = text; *c; c++) again += c[1] && value(c[0]) < value(c[1]) ? -value(c[0]) : value(c[0]);
    assert(again == n);
    return 0;
}
// expect: exits 0
