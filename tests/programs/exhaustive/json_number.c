// The grammar of JSON numbers, as a scanner and as a table of states: they agree.
#include <assert.h>
#include <fathom.h>
static int digit(char c) { return c >= '0' && c <= '9'; }
static int scan(const char *s) {
    if (*s == '-') s++;
    if (*s == '0') s++;
    else if (digit(*s)) while (digit(*s)) s++;
    else return 0;
    if (*s == '.') {
        if (!digit(*++s)) return 0;
        while (digit(*s)) s++;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        if (*s == '+' || *s == '-') s++;
        if (!digit(*s)) return 0;
        while (digit(*s)) s++;
    }
    return *s == 0;
}
static int by_states(const char *s) {
    enum { start, minus, zero, whole, point, fraction, exponent, sign, power } state = start;
    for (; *s; s++) {
        int is_digit = digit(*s), is_e = *s == 'e' || *s == 'E';
        switch (state) {
        case start:
            if (*s == '-') { state = minus; break; }
            /* fall through */
        case minus:
            if (*s == '0') state = zero;
            else if (is_digit) state = whole;
            else return 0;
            break;
        case zero:
            if (*s == '.') state = point;
            else if (is_e) state = exponent;
            else return 0;
            break;
        case whole:
            if (is_digit) break;
            if (*s == '.') state = point;
            else if (is_e) state = exponent;
            else return 0;
            break;
        case point:
            if (!is_digit) return 0;
            state = fraction;
            break;
        case fraction:
            if (is_digit) break;
            if (!is_e) return 0;
            state = exponent;
            break;
        case exponent:
            if (is_digit) state = power;
            else if (*s == '+' || *s == '-') state = sign;
            else return 0;
            break;
        case sign:
        case power:
            if (!is_digit) return 0;
            state = power;
            break;
        }
    }
    return state == zero || state == whole || state == fraction || state == power;
}
int main(void) {
    char s[6];
    fathom_make_symbolic(s, sizeof s, "s");
    s[5] = 0;
    assert(scan(s) == by_states(s));
    return 0;
}
// expect: exits 0
// expect: covered
