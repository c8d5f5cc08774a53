#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
    char a[4] = "", b[6] = "", c[20] = "";
    int fd = open("f", O_CREAT | O_RDWR, 0644);
    struct iovec out[3] = {{"one ", 4}, {"", 0}, {"two three", 9}};
    printf("%zd\n", writev(fd, out, 3));
    lseek(fd, 0, SEEK_SET);
    struct iovec in[3] = {{a, 3}, {b, 5}, {c, 19}};
    printf("%zd\n", readv(fd, in, 3));
    printf("<%s><%s><%s>\n", a, b, c);
    printf("%zd\n", readv(fd, in, 3));
    printf("%zd %zd\n", pwritev(fd, out, 1, 9), preadv(fd, in, 2, 8));
    printf("<%.3s><%.5s>\n", a, b);
    return 0;
}
