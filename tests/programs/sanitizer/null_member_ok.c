//@ cc: -fsanitize=null
#include <fathom.h>
struct options { int level, depth; };
static struct options given = {1, 2};
static int depth_of(struct options *options) {
    return options ? options->depth : 7;
}
int main(void) { return depth_of(fathom_int("given") > -5 ? &given : 0); }
// expect: exits 2 7
