// The days between two months are the month's length, in the years 1996 to 2004.
#include <assert.h>
#include <fathom.h>
static int days_from_civil(int y, int m, int d) {
    y -= m <= 2;
    int era = y / 400, yoe = y - era * 400;
    int doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}
static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }
static int length(int y, int m) {
    if (m == 2) return leap(y) ? 29 : 28;
    return m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31;
}
int main(void) {
    unsigned short year;
    unsigned char month;
    fathom_make_symbolic(&year, sizeof year, "year");
    fathom_make_symbolic(&month, sizeof month, "month");
    if (year < 1996 || year > 2004 || month < 1 || month > 12) return 1;
    int y = year, m = month, next_y = m == 12 ? y + 1 : y, next_m = m == 12 ? 1 : m + 1;
    assert(days_from_civil(next_y, next_m, 1) - days_from_civil(y, m, 1) == length(y, m));
    return 0;
}
// expect: exits 0 1
// expect: covered
