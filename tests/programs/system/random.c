#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    unsigned char a[64] = {0};
    printf("%zd\n", getrandom(a, 64, 0));
    int different = 0;
    for (int i = 1; i < 64; i++) different += a[i] != a[i - 1];
    printf("%d\n", different > 10);
    printf("%d\n", getentropy(a, 16));
    srand(42);
    int r = rand();
    srand(42);
    printf("%d %d\n", r == rand(), rand());
    srandom(7);
    printf("%ld %g\n", random(), drand48());
    int fd = open("/dev/urandom", O_RDONLY);
    printf("%d %zd\n", fd >= 0, read(fd, a, 10));
    close(fd);
    fd = open("/dev/null", O_RDWR);
    printf("%zd %zd\n", write(fd, "x", 1), read(fd, a, 5));
    close(fd);
    fd = open("/dev/zero", O_RDONLY);
    a[3] = 7;
    printf("%zd %d\n", read(fd, a, 5), a[3]);
    char name[] = "tmpXXXXXX";
    fd = mkstemp(name);
    printf("%d %d\n", fd >= 0, strncmp(name, "tmp", 3));
    unlink(name);
    return 0;
}
