// What the engine refuses, a replay refuses: processes of a program, however it makes them.
//@ run: --sym-stdin 1
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    char how;
    int status = 0;
    if (read(0, &how, 1) != 1) return 1;
    if (how == 'f') {
        pid_t child = fork();
        if (child == 0) _exit(7);
        return child < 0 && errno == ENOSYS ? 2 : 3;
    }
    if (how == 'v') {
        pid_t child = vfork();
        if (child == 0) _exit(7);
        if (child > 0) waitpid(child, &status, 0);
        return child < 0 ? 4 : WEXITSTATUS(status);
    }
    if (how == 's') return system("exit 7") == -1 ? 5 : 6;
    return 0;
}
// expect: ledger process creation
// expect: exits 0 2 4 5
// expect: paths 4
// expect: not exhaustive
