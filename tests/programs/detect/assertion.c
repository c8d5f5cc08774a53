#include <assert.h>
int main(int argc, char **argv) {
    (void)argv;
    assert(argc == 2); // expect: bug assertion
    return 0;
}
