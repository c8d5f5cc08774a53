//@ cc: -std=gnu89 -w
#include <stdio.h>
int add();
int later();
static int old(a, b, c)
int a;
char b;
float c;
{
    return a + b + (int)c;
}
int main(void) {
    printf("%d %d %d\n", add(1, 2), old(1, 'a', 2.5), later("xyz", 3.5));
    return 0;
}
int add(a, b)
int a, b;
{
    return a + b;
}
int later(s, d)
char *s;
double d;
{
    return s[1] + (int)d;
}
