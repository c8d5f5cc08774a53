#include <signal.h>
#include <stdio.h>
int main(void) {
    puts("before");
    fflush(stdout);
    raise(SIGTERM);
    puts("after");
    return 0;
}
// expect: exit 143
