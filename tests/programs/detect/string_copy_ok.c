#include <stdio.h>
int main(void) {
    char s[] = "constant";
    s[0] = 'C';
    puts(s);
    return 0;
}
