#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
int main(void) {
    struct winsize w;
    struct termios t;
    printf("%d ", ioctl(1, TIOCGWINSZ, &w));
    printf("%s\n", strerror(errno));
    printf("%d ", tcgetattr(0, &t));
    printf("%s\n", strerror(errno));
    printf("%d%d%d\n", isatty(0), isatty(1), isatty(2));
    printf("%d ", ioctl(99, TIOCGWINSZ, &w));
    printf("%s\n", strerror(errno));
    printf("%d ", ioctl(0, 0xdeadbeef, 0));
    printf("%s\n", strerror(errno));
    return 0;
}
