// Processes cannot be created yet: the call fails, and the ledger says so.
//@ native: skip
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    pid_t child = fork();
    if (child == 0) _exit(3);
    printf("%d\n", (int)child);
    return errno == ENOSYS;
}
// expect: ledger process creation
// expect: exit 1
