//@ run: --sym-file A 2
//@ args: --sym-stdin 2
// Standard output is a file in memory, on another device than those of the directory.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    int fd = open("A", O_RDONLY);
    if (copy_file_range(fd, NULL, 1, NULL, 9, 0) != -1 || errno != EXDEV) return 9;
    if (copy_file_range(0, NULL, 1, NULL, 9, 0) != 2) return 8;
    char bytes[2];
    read(fd, bytes, 2);
    if (bytes[0] == 'x') return 1;
    return 0;
}
// expect: exits 0 1
