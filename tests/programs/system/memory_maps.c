#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    char *p = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d %d %d\n", p != MAP_FAILED, p[0], p[9999]);
    memset(p, 'm', 10000);
    printf("%c%c\n", p[0], p[9999]);
    printf("%d\n", munmap(p, 10000));
    int fd = open("f", O_CREAT | O_RDWR, 0644);
    write(fd, "mapped file contents", 20);
    char *q = mmap(NULL, 20, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    printf("%.20s %d\n", q, q[20]);
    q[0] = 'M';
    char b[7] = "";
    pread(fd, b, 6, 0);
    printf("%.6s %s\n", q, b);
    munmap(q, 20);
    printf("%d ", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    printf("%s\n", strerror(errno));
    printf("%d ", mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED);
    printf("%s\n", strerror(errno));
    char *r = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy(r, "grow");
    r = mremap(r, 4096, 65536, MREMAP_MAYMOVE);
    printf("%d %s\n", r != MAP_FAILED, r == MAP_FAILED ? "" : r);
    r[65535] = 1;
    printf("%d %d\n", madvise(r, 4096, MADV_NORMAL), munmap(r, 65536));
    return 0;
}
