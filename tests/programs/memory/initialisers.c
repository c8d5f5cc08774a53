#include <stdio.h>
#include <string.h>
#include <wchar.h>

struct point {
    int x, y;
};
struct shape {
    const char *name;
    struct point at[3];
    union {
        int i;
        double d;
    } u;
    int flags : 4;
};
static struct shape shapes[] = {
    [2] = {.name = "triangle", .at = {[1] = {1, 2}, {3, 4}}, .u.d = 2.5, .flags = -3},
    [0] = {"line", {{5, 6}, {.y = 7}}, {9}},
};
static char grid[][6] = {"one", "two", "three"};
static int *const pointers[] = {&(int){10}, (int[]){20, 21, 22}, (int[3]){30} + 1};
static const wchar_t *wide = L"w\u00e9";
static long offset = (long)&((struct shape *)0)->u;

static int sum(const struct point *p, int n) {
    int s = 0;
    while (n--) s = s * 10 + p->x - p->y, p++;
    return s;
}

int main(void) {
    for (unsigned i = 0; i < 3; i++) {
        struct shape *s = &shapes[i];
        printf("%s", s->name ? s->name : "(none)");
        for (int k = 0; k < 3; k++) printf(" %d,%d", s->at[k].x, s->at[k].y);
        printf(" %d %g %d\n", s->u.i, s->u.d, s->flags);
    }
    printf("%s %s %s %zu\n", grid[0], grid[1], grid[2], sizeof grid);
    printf("%d %d %d %d %ld\n", *pointers[0], pointers[1][2], *pointers[2], wide[1] == 0xe9,
           offset);
    printf("%d\n", sum((struct point[]){{9, 1}, {.y = 3}, {5}}, 3));
    struct point *p = &(struct point){.x = 4};
    p->y = p->x * 2;
    printf("%d\n", sum(p, 1));
    char a[8] = "abc", b[3] = {'x', 'y'},
         c[] = {"literal"
                "s"};
    printf("%s %s %s %d\n", a, b, c, a[7]);
    int z[100] = {0};
    z[50] = 1;
    int t = 0;
    for (int i = 0; i < 100; i++) t += z[i];
    printf("%d\n", t);
    printf("%s %c %zu\n", "embedded\0nul" + 9, "0123456789abcdef"[11], sizeof "a\0b");
    return 0;
}
