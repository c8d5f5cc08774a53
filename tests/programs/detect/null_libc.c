#include <string.h>
int main(void) {
    char *volatile p = 0;
    return (int)strlen(p); // expect: bug null-dereference
}
