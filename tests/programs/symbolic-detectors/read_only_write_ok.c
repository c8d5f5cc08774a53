#include <fathom.h>
static const char text[] = "constant";
static char buffer[9];
int main(void) {
    const char *source[2] = {buffer, text};
    int i = fathom_range(0, 2, "i");
    buffer[3] = source[i][3];
    return 0;
}
