#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
static __thread int counter = 5;
_Thread_local char text[16] = "local";
static __thread double zero[4];
static _Thread_local int *link = NULL;
extern __thread int other;
__thread int other = 42;
static int *where(void) { return &counter; }
int main(void) {
    counter += 2;
    text[0] = 'L';
    zero[3] += 1.5;
    link = &counter;
    *link *= 2;
    printf("%d %s %g %g %d %d\n", counter, text, zero[0], zero[3], other, where() == link);
    errno = 0;
    strtol("99999999999999999999999", 0, 10);
    printf("%d %d\n", errno == ERANGE, *where());
    return 0;
}
