#include <fathom.h>
#include <string.h>
int main(void) {
    char a[16] = "0123456789";
    int distance = fathom_range(3, 6, "distance");
    memcpy(a + distance, a, 4); // expect: bug overlapping-copy
    return 0;
}
// expect: input distance=3
