// The C library's own, on every string of up to four bytes, against a plain one.
#include <assert.h>
#include <fathom.h>
#include <stdlib.h>
static long plain(const char *s) {
    long value = 0;
    int negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    while (*s >= '0' && *s <= '9') value = value * 10 + (*s++ - '0');
    return negative ? -value : value;
}
int main(void) {
    char s[5];
    fathom_make_symbolic(s, sizeof s, "s");
    s[4] = 0;
    assert(strtol(s, NULL, 10) == plain(s));
    return 0;
}
// expect: exits 0
// expect: covered
