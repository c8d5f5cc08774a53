// A handler runs on the paths that raise.
#include <assert.h>
#include <fathom.h>
#include <signal.h>
static volatile sig_atomic_t seen;
static void handler(int signal) { seen = signal; }
int main(void) {
    signal(SIGUSR1, handler);
    if (fathom_int("x") == 3) raise(SIGUSR1);
    if (seen) {
        assert(seen == SIGUSR1);
        return 1;
    }
    return 0;
}
// expect: exits 0 1
