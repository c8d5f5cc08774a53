#include <stdio.h>
#include <string.h>
struct node {
    const char *name;
    struct node *next;
    int (*f)(const char *);
};
static struct node c = {"c", NULL, puts}, b = {"b", &c, puts}, a = {"a", &b, puts};
static struct node *const head = &a;
static char *ends[2];
static char buffer[32] = "zero filled";
static char *inside = buffer + 5;
static const unsigned char bytes[] = {[255] = 1};
static double table[] = {1e300, -0.0, 0x1p-1074};
static const char *strings[] = {"shared", "shared", "red"};
static long long ll = -1;
static _Bool flag = 1;
static float fl = 1.25f;
static long double ld = 1e1000L;
static __int128 q = (__int128)1 << 99;
static struct {
    char c;
    short s;
    int : 5;
    int x : 9;
} packed = {'p', -2, 77};
static int counter(void) {
    static int n = 10;
    static int *p = &n;
    (*p)++;
    return n++;
}
int main(void) {
    for (struct node *n = head; n; n = n->next) n->f(n->name);
    ends[0] = buffer;
    ends[1] = buffer + sizeof buffer;
    printf("%td %s %zu %d\n", ends[1] - ends[0], inside, sizeof bytes, bytes[255]);
    printf("%g %g %g %s\n", table[0], table[1], table[2], strings[2]);
    printf("%lld %d %g %Lg %llx\n", ll, flag, fl, ld, (unsigned long long)(q >> 64));
    printf("%c %d %d\n", packed.c, packed.s, packed.x);
    for (int i = 0; i < 4; i++) printf("%d ", counter());
    printf("\n");
    *inside = 'F';
    puts(buffer);
    return 0;
}
