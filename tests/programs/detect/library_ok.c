//@ args: shorter
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char small[8], digits[7], plain[3] = {'a', 'b', 'c'};
    strcpy(small, argv[argc - 1]);
    sprintf(digits, "%d", 123456);
    printf("%s %s %.3s\n", small, digits, plain);
    return 0;
}
