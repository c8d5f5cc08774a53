#include <fathom.h>
static int none(void) { return 1; }
static int one(int x) { return x; }
int main(void) {
    int (*table[2])(void) = {none, (int (*)(void))one};
    int i = fathom_range(0, 2, "i");
    return i == 1 ? ((int (*)(int))table[i])(7) : table[i]();
}
// expect: exits 1 7
