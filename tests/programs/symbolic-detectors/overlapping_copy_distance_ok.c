#include <fathom.h>
#include <string.h>
int main(void) {
    char a[16] = "0123456789";
    int distance = fathom_range(3, 6, "distance");
    memcpy(a + distance, a, distance < 4 ? 3 : 4);
    return 0;
}
// expect: exits 0
