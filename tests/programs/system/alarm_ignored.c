#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    signal(SIGALRM, SIG_IGN);
    printf("%u ", alarm(100));
    printf("%d\n", alarm(0) > 0);
    return 0;
}
