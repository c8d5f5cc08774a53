#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/statvfs.h>
#include <unistd.h>
int main(void) {
    int a = open("a", O_CREAT | O_RDWR, 0644), b = open("b", O_CREAT | O_RDWR, 0644);
    write(a, "0123456789", 10);
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    printf("%d %d\n", fcntl(a, F_SETLK, &l), flock(b, LOCK_EX | LOCK_NB));
    off_t in = 2;
    ssize_t n = sendfile(b, a, &in, 5);
    printf("%zd %ld\n", n, (long)in);
    char t[20] = "";
    pread(b, t, 20, 0);
    puts(t);
    printf("%d %d\n", posix_fadvise(a, 0, 0, POSIX_FADV_SEQUENTIAL), posix_fallocate(b, 0, 50));
    printf("%ld\n", (long)lseek(b, 0, SEEK_END));
    struct statvfs v;
    printf("%d %d\n", statvfs(".", &v), v.f_bsize > 0);
    printf("%d %d\n", fdatasync(a), access("/etc/passwd", R_OK));
    sync();
    return 0;
}
