#include <limits.h>
int main(int argc, char **argv) {
    (void)argv;
    return INT_MIN / -argc; // expect: bug signed-overflow
}
