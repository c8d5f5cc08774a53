#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    int p[2];
    char b[64] = "";
    printf("%d\n", pipe(p));
    printf("%zd %zd\n", write(p[1], "through", 7), write(p[1], " the pipe", 9));
    int n;
    ioctl(p[0], FIONREAD, &n);
    printf("%d\n", n);
    printf("%zd\n", read(p[0], b, 4));
    printf("%zd %s\n", read(p[0], b + 4, 50), b);
    printf("%ld %s\n", (long)lseek(p[0], 0, SEEK_SET), strerror(errno));
    struct stat st;
    fstat(p[0], &st);
    printf("%d\n", S_ISFIFO(st.st_mode));
    struct pollfd fds[2] = {{p[0], POLLIN, 0}, {p[1], POLLOUT, 0}};
    printf("%d ", poll(fds, 2, 0));
    printf("%d %d\n", fds[0].revents, fds[1].revents);
    write(p[1], "x", 1);
    printf("%d ", poll(fds, 2, -1));
    printf("%d %d\n", fds[0].revents, fds[1].revents);
    read(p[0], b, 1);
    fcntl(p[0], F_SETFL, O_NONBLOCK);
    printf("%zd ", read(p[0], b, 1));
    printf("%s\n", strerror(errno));
    write(p[1], "last", 4);
    close(p[1]);
    printf("%zd %zd\n", read(p[0], b, 10), read(p[0], b, 10));
    printf("%d ", poll(fds, 1, 0));
    printf("%d\n", (fds[0].revents & POLLHUP) != 0);
    close(p[0]);
    signal(SIGPIPE, SIG_IGN);
    pipe2(p, O_CLOEXEC | O_NONBLOCK);
    printf("%d\n", fcntl(p[0], F_GETFD));
    int full = 0;
    char block[4096] = {0};
    while (write(p[1], block, 4096) == 4096) full++;
    printf("%d %s\n", full, strerror(errno));
    close(p[0]);
    printf("%zd ", write(p[1], "x", 1));
    printf("%s\n", strerror(errno));
    struct pollfd bad = {99, POLLIN, 0};
    printf("%d ", poll(&bad, 1, 0));
    printf("%d\n", bad.revents);
    return 0;
}
