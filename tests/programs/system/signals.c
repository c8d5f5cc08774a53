#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t seen[64];
static volatile int nested;
static sigjmp_buf env;
static void handler(int sig) { seen[sig]++; }
static void info(int sig, siginfo_t *i, void *context) {
    seen[sig] += 10;
    nested = i->si_signo * 100 + (context != NULL);
}
static void jump(int sig) { siglongjmp(env, sig); }
static void raiser(int sig) {
    seen[sig]++;
    raise(SIGUSR2);
    nested = seen[SIGUSR2];
}
int main(void) {
    struct sigaction a = {0}, old;
    a.sa_handler = handler;
    printf("%d\n", sigaction(SIGUSR1, &a, NULL));
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    printf("%d\n", seen[SIGUSR1]);
    sigaction(SIGUSR1, NULL, &old);
    printf("%d\n", old.sa_handler == handler);
    a.sa_sigaction = info;
    a.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &a, NULL);
    raise(SIGUSR2);
    printf("%d %d\n", seen[SIGUSR2], nested);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    printf("%d\n", seen[SIGUSR1]);
    sigset_t set, was, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, &was);
    raise(SIGUSR2);
    printf("%d ", seen[SIGUSR2]);
    sigpending(&pending);
    printf("%d %d ", sigismember(&pending, SIGUSR2), sigismember(&pending, SIGUSR1));
    sigprocmask(SIG_SETMASK, &was, NULL);
    printf("%d\n", seen[SIGUSR2]);
    signal(SIGTERM, jump);
    int r = sigsetjmp(env, 1);
    if (!r) {
        raise(SIGTERM);
        printf("not reached\n");
    }
    sigprocmask(SIG_BLOCK, NULL, &set);
    printf("%d %d\n", r, sigismember(&set, SIGTERM));
    a.sa_handler = handler;
    a.sa_flags = SA_RESETHAND;
    sigaction(SIGHUP, &a, NULL);
    raise(SIGHUP);
    sigaction(SIGHUP, NULL, &old);
    printf("%d %d\n", seen[SIGHUP], old.sa_handler == SIG_DFL);
    signal(SIGUSR2, handler);
    signal(SIGUSR1, raiser);
    raise(SIGUSR1);
    printf("%d %d\n", nested, seen[SIGUSR2]);
    raise(SIGCHLD);
    raise(SIGWINCH);
    printf("%d ", kill(getpid(), 0));
    printf("%d ", sigaction(SIGKILL, &a, NULL));
    printf("%s\n", strerror(errno));
    stack_t ss = {.ss_sp = (char[8192]){0}, .ss_size = 8192};
    printf("%d\n", sigaltstack(&ss, NULL));
    printf("%s\n", strsignal(SIGSEGV));
    return 0;
}
