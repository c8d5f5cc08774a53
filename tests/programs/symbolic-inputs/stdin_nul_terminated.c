//@ run: --sym-stdin 3 --nul-terminated
#include <string.h>
#include <unistd.h>
int main(void) {
    char b[3];
    if (read(0, b, 3) != 3) return 9;
    if (b[2]) return 8;
    switch (strlen(b)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: return 7;
    }
}
// expect: exits 0 1 2
