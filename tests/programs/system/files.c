#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *what, long result) {
    if (result < 0)
        printf("%s: %ld %s\n", what, result, strerror(errno));
    else
        printf("%s: %ld\n", what, result);
}

int main(void) {
    char b[32] = "";
    show("missing", open("missing", O_RDONLY));
    show("dir for writing", open(".", O_WRONLY));
    int fd = open("new", O_RDWR | O_CREAT | O_EXCL, 0640);
    show("create", fd);
    show("again", open("new", O_RDWR | O_CREAT | O_EXCL, 0640));
    show("write", write(fd, "hello, world\n", 13));
    show("seek", lseek(fd, 7, SEEK_SET));
    show("read", read(fd, b, 5));
    puts(b);
    show("tell", lseek(fd, 0, SEEK_CUR));
    show("end", lseek(fd, -1, SEEK_END));
    show("negative", lseek(fd, -100, SEEK_SET));
    show("bad whence", lseek(fd, 0, 99));
    show("pwrite", pwrite(fd, "HELLO", 5, 0));
    show("pread", pread(fd, b, 12, 0));
    printf("%.12s\n", b);
    show("past end", lseek(fd, 20, SEEK_SET));
    show("hole", write(fd, "x", 1));
    struct stat st;
    show("fstat", fstat(fd, &st));
    printf("%ld %o %d\n", (long)st.st_size, st.st_mode & 07777, S_ISREG(st.st_mode));
    show("pread hole", pread(fd, b, 20, 10));
    printf("%d %d %d\n", b[3], b[9], b[10]);
    show("ftruncate", ftruncate(fd, 5));
    show("close", close(fd));
    show("close again", close(fd));
    show("read closed", read(fd, b, 1));
    fd = open("new", O_WRONLY | O_APPEND);
    show("append", write(fd, "++", 2));
    show("read write-only", read(fd, b, 1));
    close(fd);
    fd = open("new", O_RDONLY);
    memset(b, 0, sizeof b);
    show("all", read(fd, b, sizeof b));
    puts(b);
    show("eof", read(fd, b, 1));
    show("write read-only", write(fd, "x", 1));
    close(fd);
    fd = open("new", O_WRONLY | O_TRUNC);
    fstat(fd, &st);
    printf("%ld\n", (long)st.st_size);
    show("truncate", truncate("new", 100));
    show("access", access("new", R_OK | W_OK));
    show("access x", access("missing", F_OK));
    show("chmod", chmod("new", 0400));
    stat("new", &st);
    printf("%o\n", st.st_mode & 07777);
    show("unlink", unlink("new"));
    show("unlink again", unlink("new"));
    show("fstat of unlinked", fstat(fd, &st));
    printf("%ld %d\n", (long)st.st_size, (int)st.st_nlink);
    show("bad fd", write(99, "x", 1));
    return 0;
}
