#include <limits.h>
int main(int argc, char **argv) {
    (void)argv;
    return (int)(LLONG_MIN % -(long long)argc); // expect: bug signed-overflow
}
