#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void) {
    // In a container's namespace of processes the parent, the group or the session may be 0.
    printf("%d %d %d\n", getpid() > 1, getppid() >= 0, getpid() == getpid());
    printf("%d %d\n", getuid() == geteuid(), getgid() == getegid());
    struct utsname u;
    printf("%d %s %s\n", uname(&u), u.sysname, u.machine);
    printf("%d %d\n", getpgrp() >= 0, getsid(0) >= 0);
    struct passwd *p = getpwuid(0);
    printf("%s\n", p ? p->pw_name : "?");
    struct group *g = getgrgid(0);
    printf("%s\n", g ? g->gr_name : "?");
    char host[300];
    printf("%d %d\n", gethostname(host, sizeof host), strcmp(host, u.nodename));
    gid_t groups[64];
    printf("%d\n", getgroups(64, groups) >= 0);
    printf("%ld %d\n", sysconf(_SC_PAGESIZE), sysconf(_SC_NPROCESSORS_ONLN) > 0);
    printf("%d\n", getpagesize());
    return 0;
}
