#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char b[20] = "";
    int fd = open("f", O_CREAT | O_RDWR, 0644);
    int copy = dup(fd);
    printf("%d %d\n", fd, copy);
    write(fd, "abc", 3);
    write(copy, "def", 3);
    printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
    printf("%d\n", dup2(fd, 20));
    lseek(20, 0, SEEK_SET);
    read(copy, b, 20);
    puts(b);
    close(fd);
    printf("%zd %d\n", write(copy, "!", 1), fcntl(fd, F_GETFD));
    printf("%s\n", strerror(errno));
    printf("%d\n", fcntl(copy, F_DUPFD, 50));
    printf("%d\n", fcntl(copy, F_DUPFD_CLOEXEC, 50));
    printf("%d %d\n", fcntl(50, F_GETFD), fcntl(51, F_GETFD));
    fcntl(50, F_SETFD, FD_CLOEXEC);
    printf("%d\n", fcntl(50, F_GETFD));
    printf("%d\n", (fcntl(copy, F_GETFL) & O_ACCMODE) == O_RDWR);
    fcntl(copy, F_SETFL, O_APPEND);
    printf("%d\n", (fcntl(20, F_GETFL) & O_APPEND) != 0);
    lseek(copy, 0, SEEK_SET);
    write(copy, "end", 3);
    struct stat st;
    fstat(copy, &st);
    printf("%ld\n", (long)st.st_size);
    printf("%d %s\n", dup(77), strerror(errno));
    printf("%d ", dup2(copy, -1));
    printf("%s\n", strerror(errno));
    printf("%d\n", dup2(copy, copy));
    printf("%d ", dup3(copy, copy, 0));
    printf("%s\n", strerror(errno));
    close(0);
    printf("%d\n", open("f", O_RDONLY));
    int saved = dup(1);
    fflush(stdout);
    dup2(copy, 1);
    printf("to the file\n");
    fflush(stdout);
    dup2(saved, 1);
    lseek(copy, -12, SEEK_END);
    memset(b, 0, 20);
    read(copy, b, 12);
    printf("back: %s", b);
    printf("%d %d\n", isatty(1), isatty(copy));
    printf("%d ", ttyname(1) != NULL);
    printf("%d\n", fsync(copy));
    printf("%ld %ld\n", fpathconf(copy, _PC_NAME_MAX), pathconf(".", _PC_PATH_MAX));
    return 0;
}
