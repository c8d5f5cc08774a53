#include <fathom.h>
struct point { char tag; short x; int y; };
static int norm(struct point p) { return p.x < 0 ? -p.x : p.x; }
int main(void) {
    struct point p, q;
    fathom_make_symbolic(&p, sizeof p, "p");
    q = p;
    if (q.x != p.x || q.y != p.y) return 9;
    if (norm(q) == 300 && q.tag == 't' && q.y == -2) return 1;
    return 0;
}
// expect: exits 0 1
