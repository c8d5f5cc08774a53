#include <fathom.h>
static const char text[] = "constant";
static char buffer[9];
int main(void) {
    char *target[2] = {buffer, (char *)text};
    int i = fathom_range(0, 2, "i");
    target[i][3] = 'x'; // expect: bug read-only-write
    return 0;
}
// expect: input i=1
