#include <fathom.h>
#include <stddef.h>
static int value = 3;
static int *find(int key) { return key == 77 ? NULL : &value; }
int main(void) {
    int *p = find(fathom_int("key"));
    return *p; // expect: bug null-dereference
}
// expect: input key=77
// expect: exits 3
