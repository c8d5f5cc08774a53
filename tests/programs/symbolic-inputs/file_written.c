// The program overwrites a byte of its symbolic file and reads it back.
//@ run: --sym-file data.txt 3
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    char b[3];
    int fd = open("data.txt", O_RDWR);
    if (fd < 0 || pwrite(fd, "X", 1, 1) != 1 || pread(fd, b, 3, 0) != 3) return 9;
    if (b[1] != 'X') return 8;
    if (b[0] == b[2]) return 1;
    return 0;
}
// expect: exits 0 1
