#include <assert.h>
#include <fathom.h>
struct pair { long a, b, c; };
static struct pair swap(struct pair p) { return (struct pair){p.c, p.b, p.a}; }
int main(void) {
    struct pair p = {fathom_int("a"), 2, fathom_int("c")};
    struct pair q = swap(p);
    if (q.a == 5 && q.c == 6) {
        assert(p.a == 6 && p.c == 5);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
