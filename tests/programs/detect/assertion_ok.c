#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    assert(argc == 1);
    puts("held");
    return 3;
}
// expect: exit 3
