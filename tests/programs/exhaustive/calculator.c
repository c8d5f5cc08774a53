// A parser of sums of digits in parentheses: every line, no way out of the string.
#include <fathom.h>
static const char *at;
static int failed;
static int sum(void);
static int term(void) {
    if (*at >= '0' && *at <= '9') return *at++ - '0';
    if (*at == '(') {
        at++;
        int value = sum();
        if (*at == ')') at++;
        else failed = 1;
        return value;
    }
    failed = 1;
    return 0;
}
static int sum(void) {
    int value = term();
    while (*at == '+' && !failed) {
        at++;
        value += term();
    }
    return value;
}
int main(void) {
    char s[6];
    fathom_make_symbolic(s, sizeof s, "s");
    s[5] = 0;
    at = s;
    int value = sum();
    if (failed || *at) return 2;
    if (value == 17) return 1;
    return 0;
}
// expect: exits 0 1 2
// expect: covered
