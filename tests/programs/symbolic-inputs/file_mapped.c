//@ run: --sym-file data.txt 4
#include <fcntl.h>
#include <sys/mman.h>
int main(void) {
    int fd = open("data.txt", O_RDONLY);
    char *p = mmap(0, 4, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) return 9;
    if (p[0] == 'm' && p[3] == 'p') return 1;
    return 0;
}
// expect: exits 0 1
