#include <limits.h>
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    volatile double zero = argc - 1;
    printf("%d %d %d %f\n", INT_MIN / argc, (INT_MIN + 1) / -argc, INT_MIN % (argc + 1), 1 / zero);
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
    return 0;
}
