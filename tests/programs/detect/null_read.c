#include <stddef.h>
struct s { int a, b; };
static int get(const struct s *p) {
    return p->b; // expect: bug null-dereference
}
int main(void) {
    struct s *volatile p = NULL;
    return get(p);
}
