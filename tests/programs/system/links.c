#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    char b[100] = "";
    struct stat st, st2;
    int fd = open("file", O_CREAT | O_WRONLY, 0644);
    write(fd, "data", 4);
    close(fd);
    printf("%d %d ", symlink("file", "sym"), symlink("nowhere", "dangling"));
    printf("%d %s\n", symlink("x", "sym"), strerror(errno));
    ssize_t n = readlink("sym", b, sizeof b);
    printf("%zd %.*s\n", n, (int)n, b);
    n = readlink("sym", b, 2);
    printf("%zd\n", n);
    n = readlink("file", b, 9);
    printf("%zd %s\n", n, strerror(errno));
    lstat("sym", &st);
    printf("%d %ld\n", S_ISLNK(st.st_mode), (long)st.st_size);
    stat("sym", &st);
    printf("%d %ld\n", S_ISREG(st.st_mode), (long)st.st_size);
    printf("%d ", stat("dangling", &st));
    printf("%s\n", strerror(errno));
    fd = open("sym", O_RDONLY);
    n = read(fd, b, 10);
    printf("%zd %.4s\n", n, b);
    close(fd);
    printf("%d ", open("sym", O_RDONLY | O_NOFOLLOW));
    printf("%s\n", strerror(errno));
    printf("%d\n", link("file", "hard"));
    stat("file", &st);
    stat("hard", &st2);
    printf("%d %d\n", (int)st.st_nlink, st.st_ino == st2.st_ino);
    fd = open("hard", O_WRONLY | O_APPEND);
    write(fd, "+more", 5);
    close(fd);
    stat("file", &st);
    printf("%ld\n", (long)st.st_size);
    unlink("file");
    stat("hard", &st);
    printf("%d %ld\n", (int)st.st_nlink, (long)st.st_size);
    symlink("loop2", "loop1");
    symlink("loop1", "loop2");
    printf("%d ", open("loop1", O_RDONLY));
    printf("%s\n", strerror(errno));
    char *real = realpath("sym", NULL);
    printf("%s\n", real ? "found" : strerror(errno));
    rename("hard", "file");
    real = realpath("./sym", NULL);
    printf("%s\n", real ? strrchr(real, '/') : strerror(errno));
    free(real);
    printf("%d %s\n", open("file/x", O_RDONLY), strerror(errno));
    char longname[300];
    memset(longname, 'n', 299);
    longname[299] = 0;
    printf("%d ", open(longname, O_RDONLY));
    printf("%s\n", strerror(errno));
    return 0;
}
