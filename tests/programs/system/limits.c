#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    struct rlimit r;
    printf("%d %d\n", getrlimit(RLIMIT_NOFILE, &r), r.rlim_cur > 10);
    printf("%d\n", getrlimit(RLIMIT_STACK, &r));
    r.rlim_cur = 0;
    printf("%d ", setrlimit(RLIMIT_CORE, &r));
    struct rlimit c;
    getrlimit(RLIMIT_CORE, &c);
    printf("%d\n", c.rlim_cur == 0);
    struct rusage u;
    printf("%d %d\n", getrusage(RUSAGE_SELF, &u), u.ru_utime.tv_sec >= 0);
    mode_t old = umask(027);
    printf("%o ", umask(old));
    printf("%d\n", getpriority(PRIO_PROCESS, 0) >= -20);
    errno = 0;
    printf("%d ", getrlimit(99, &r));
    printf("%s\n", strerror(errno));
    return 0;
}
