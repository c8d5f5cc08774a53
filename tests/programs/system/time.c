#define _GNU_SOURCE
// Only what does not depend on the moment is printed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    time_t t = time(NULL), u;
    printf("%d %d\n", t > 0, time(&u) - t <= 1);
    struct timespec a, b;
    printf("%d %d\n", clock_gettime(CLOCK_MONOTONIC, &a), clock_gettime(CLOCK_REALTIME, &b));
    printf("%d\n", b.tv_nsec >= 0 && b.tv_nsec < 1000000000);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%d\n", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    struct timeval tv;
    printf("%d\n", gettimeofday(&tv, NULL));
    printf("%d %d\n", clock_getres(CLOCK_REALTIME, &a), a.tv_sec == 0);
    struct timespec nap = {0, 1000000};
    printf("%d %d\n", nanosleep(&nap, NULL), usleep(10));
    printf("%d\n", clock() >= 0);
    time_t fixed = 1000000000;
    struct tm *g = gmtime(&fixed);
    char s[100];
    strftime(s, sizeof s, "%Y-%m-%d %H:%M:%S %a %b %j %U", g);
    puts(s);
    printf("%s", asctime(g));
    g->tm_mon += 14;
    printf("%lld\n", (long long)mktime(g));
    setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
    tzset();
    struct tm *l = localtime(&fixed);
    strftime(s, sizeof s, "%F %T %z %Z", l);
    puts(s);
    struct tm p = {0};
    char *end = strptime("2024-02-29 12:34:56", "%Y-%m-%d %H:%M:%S", &p);
    printf("%d %d %d %d\n", *end, p.tm_year, p.tm_yday, p.tm_sec);
    printf("%g\n", difftime(fixed, fixed - 60));
    return 0;
}
