#include <fathom.h>
#include <stddef.h>
static int value = 3;
static int *find(int key) { return key == 77 ? NULL : &value; }
int main(void) {
    int *p = find(fathom_int("key"));
    return p ? *p : 1;
}
// expect: exits 1 3
