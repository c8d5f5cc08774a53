// Leaving handlers by longjmp from several depths, again and again.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
static sigjmp_buf outer, inner;
static volatile int count;
static void second(int sig) {
    count++;
    if (count % 2) siglongjmp(inner, 1);
    siglongjmp(outer, 2);
}
static void first(int sig) {
    char local[64];
    memset(local, 'x', sizeof local);
    sigset_t now;
    if (!sigsetjmp(inner, 1)) {
        raise(SIGUSR2);
        puts("unreachable");
    }
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("back in the first: %d %d, %c\n", sigismember(&now, SIGUSR1),
           sigismember(&now, SIGUSR2), local[63]);
}
static int add(int a, int b) { return a + b; }
int main(void) {
    signal(SIGUSR1, first);
    signal(SIGUSR2, second);
    for (volatile int i = 0; i < 6; i++) {
        if (!sigsetjmp(outer, 1)) {
            printf("%d\n", add(add(raise(SIGUSR1), 10 * i), raise(0) + i));
        } else {
            puts("out");
        }
    }
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("%d %d %d\n", count, sigismember(&now, SIGUSR1), sigismember(&now, SIGUSR2));
    return 0;
}
