#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <utime.h>
#include <unistd.h>
int main(void) {
    struct stat s;
    close(open("f", O_CREAT | O_WRONLY, 0644));
    struct timespec t[2] = {{1000000000, 500}, {1100000000, 999999999}};
    printf("%d\n", utimensat(AT_FDCWD, "f", t, 0));
    stat("f", &s);
    printf("%lld.%09ld %lld.%09ld\n", (long long)s.st_atim.tv_sec, s.st_atim.tv_nsec,
           (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
    t[0].tv_nsec = UTIME_OMIT;
    t[1].tv_sec = 5;
    printf("%d\n", utimensat(AT_FDCWD, "f", t, 0));
    stat("f", &s);
    printf("%lld %lld\n", (long long)s.st_atime, (long long)s.st_mtime);
    struct utimbuf u = {7, 8};
    printf("%d\n", utime("f", &u));
    stat("f", &s);
    printf("%lld %lld\n", (long long)s.st_atime, (long long)s.st_mtime);
    int fd = open("f", O_WRONLY);
    t[0].tv_nsec = 1;
    printf("%d\n", futimens(fd, t));
    fstat(fd, &s);
    printf("%lld\n", (long long)s.st_atime);
    struct timeval tv[2] = {{100, 5}, {200, 6}};
    printf("%d\n", utimes("f", tv));
    stat("f", &s);
    printf("%lld %ld\n", (long long)s.st_mtime, s.st_mtim.tv_nsec);
    printf("%d\n", utimes("missing", tv));
    return 0;
}
