// strchr finds nothing, and what it says goes on into the library.
#include <fathom.h>
#include <string.h>
int main(void) {
    char text[4];
    fathom_make_symbolic(text, 3, "text");
    text[3] = 0;
    return strlen(strchr(text, '=')) > 3; // expect: bug null-dereference
}
// expect: exits 0
