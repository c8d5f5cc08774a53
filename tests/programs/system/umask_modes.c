#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static void show(const char *p) {
    struct stat s;
    stat(p, &s);
    printf("%s %o\n", p, s.st_mode);
}
int main(void) {
    umask(022);
    close(open("a", O_CREAT | O_WRONLY, 0666));
    mkdir("d", 0777);
    umask(077);
    close(open("b", O_CREAT | O_WRONLY, 0666));
    mkdir("e", 0777);
    show("a");
    show("b");
    show("d");
    show("e");
    chmod("a", 04711);
    show("a");
    int fd = open("b", O_RDONLY);
    fchmod(fd, 0644);
    show("b");
    printf("%d\n", mkfifo("fifo", 0600));
    struct stat s;
    stat("fifo", &s);
    printf("%d\n", S_ISFIFO(s.st_mode));
    printf("%d %d\n", chown("a", getuid(), getgid()), unlink("fifo"));
    return 0;
}
