// What is blocked while a handler runs, and in which order several handlers run.
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <poll.h>
#include <unistd.h>
static int depth;
static sigjmp_buf env;
static void show(const char *when) {
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    printf("%*s%s:", 2 * depth, "", when);
    for (int s = 1; s < 32; s++)
        if (sigismember(&now, s)) printf(" %d", s);
    puts("");
}
static void plain(int sig) {
    depth++;
    char text[32];
    snprintf(text, sizeof text, "in %d", sig);
    show(text);
    depth--;
}
static void again(int sig) {
    static int left;
    depth++;
    show("again");
    if (left++ < 3) raise(sig);
    show("again ends");
    depth--;
}
static void informed(int sig, siginfo_t *info, void *context) {
    ucontext_t *uc = context;
    printf("%d %d %d %d %d\n", sig, info->si_signo, info->si_code, info->si_pid == getpid(),
           sigismember(&uc->uc_sigmask, SIGUSR2));
}
static void leave(int sig) { siglongjmp(env, sig); }
static int set(int sig, void (*handler)(int), int flags, int blocks) {
    struct sigaction a = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&a.sa_mask);
    if (blocks) sigaddset(&a.sa_mask, blocks);
    return sigaction(sig, &a, NULL);
}
int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    show("start");
    set(SIGUSR1, plain, 0, SIGTERM);
    raise(SIGUSR1);
    show("after one");
    set(SIGUSR2, again, 0, 0);
    raise(SIGUSR2);
    show("after deferred");
    set(SIGUSR2, again, SA_NODEFER, SIGHUP);
    raise(SIGUSR2);
    show("after nested");
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    set(SIGUSR2, plain, 0, 0);
    set(SIGHUP, plain, 0, SIGUSR1);
    raise(SIGUSR2);
    raise(SIGUSR1);
    raise(SIGHUP);
    int result = sigprocmask(SIG_SETMASK, &old, NULL);
    printf("%d\n", result);
    show("after three");
    set(SIGUSR1, leave, 0, SIGHUP);
    int got = sigsetjmp(env, 1);
    show("at the jump");
    if (!got) {
        raise(SIGUSR1);
        puts("unreachable");
    }
    got = sigsetjmp(env, 0);
    show("at the plain jump");
    if (!got) raise(SIGUSR1);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    // sigsuspend and pselect unblock only while they wait.
    sigaddset(&all, SIGUSR2);
    sigprocmask(SIG_SETMASK, &all, &old);
    raise(SIGUSR2);
    result = sigsuspend(&old);
    printf("%d %d\n", result, errno == EINTR);
    show("after sigsuspend");
    raise(SIGUSR2);
    result = pselect(0, NULL, NULL, NULL, NULL, &old);
    printf("%d %d\n", result, errno == EINTR);
    show("after pselect");
    struct timespec none = {0};
    raise(SIGUSR2);
    result = ppoll(NULL, 0, &none, &old);
    printf("%d\n", result);
    show("after ppoll");
    sigprocmask(SIG_SETMASK, &old, NULL);
    struct sigaction a = {.sa_sigaction = informed, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &a, NULL);
    sigaction(SIGALRM, &a, NULL);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    struct itimerval soon = {{0}, {0, 1000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    pause();
    set(SIGUSR1, plain, SA_RESETHAND, 0);
    raise(SIGUSR1);
    struct sigaction now;
    sigaction(SIGUSR1, NULL, &now);
    printf("%d\n", now.sa_handler == SIG_DFL);
    show("end");
    return 0;
}
