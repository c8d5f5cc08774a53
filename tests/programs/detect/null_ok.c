#include <stddef.h>
#include <stdio.h>
struct s { int a, b; };
static int get(const struct s *p) { return p ? p->b : -1; }
int main(void) {
    struct s *volatile p = NULL;
    struct s v = {1, 2};
    printf("%d %d %zu\n", get(p), get(&v), offsetof(struct s, b));
    return 0;
}
