//@ args: --sym-arg 2 --sym-files 1 1
// A symbolic name may be that of a file, of the working directory, or of nothing.
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int waiting, fd = open(argv[1], O_RDONLY);
    char byte;
    if (fd < 0) return 0;
    if (read(fd, &byte, 1) == 1) return 1;
    if (errno != EISDIR) return 9;
    if (ioctl(fd, FIONREAD, &waiting) != -1 || errno != ENOTTY) return 8;
    return 2;
}
// expect: exits 0 1 2
// expect: not exhaustive
