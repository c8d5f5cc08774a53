#include <stdio.h>
static int *keep(int n) {
    static int local[4];
    local[1] = n;
    return local;
}
static void fill(int *out) { *out = 9; }
int main(void) {
    int *p = keep(3), v;
    fill(&v);
    printf("%d %d\n", p[1], v);
    return 0;
}
