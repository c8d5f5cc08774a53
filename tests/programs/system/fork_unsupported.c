//@ native: skip
#include <stdio.h>
#include <unistd.h>
int main(void) {
    fflush(stdout);
    pid_t child = fork(); // expect: unsupported fork
    if (child == 0) _exit(3);
    return 0;
}
