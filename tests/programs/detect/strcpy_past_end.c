//@ args: 'a rather long argument'
#include <string.h>
int main(int argc, char **argv) {
    char small[8];
    strcpy(small, argv[argc - 1]); // expect: bug out-of-bounds-write
    return small[0];
}
