#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    long r = syscall(9999, 1, 2, 3);
    printf("%ld %s\n", r, strerror(errno));
    return 0;
}
// expect: ledger 9999
