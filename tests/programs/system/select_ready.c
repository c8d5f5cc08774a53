#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>
int main(void) {
    int p[2];
    pipe(p);
    fd_set r, w;
    FD_ZERO(&r);
    FD_ZERO(&w);
    FD_SET(p[0], &r);
    FD_SET(p[1], &w);
    struct timeval t = {0, 0};
    printf("%d ", select(p[1] + 1, &r, &w, NULL, &t));
    printf("%d %d\n", FD_ISSET(p[0], &r), FD_ISSET(p[1], &w));
    write(p[1], "x", 1);
    FD_SET(p[0], &r);
    printf("%d ", select(p[1] + 1, &r, NULL, NULL, NULL));
    printf("%d\n", FD_ISSET(p[0], &r));
    t.tv_usec = 1000;
    printf("%d\n", select(0, NULL, NULL, NULL, &t));
    return 0;
}
