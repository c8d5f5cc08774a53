//@ run: --sym-stdin 2
#include <unistd.h>
int main(void) {
    int ends[2];
    char in[2], out[2];
    if (read(0, in, 2) != 2 || pipe(ends)) return 9;
    if (write(ends[1], in, 2) != 2 || read(ends[0], out, 2) != 2) return 8;
    if (in[0] != out[0] || in[1] != out[1]) return 7;
    if (out[0] == 'p') return 1;
    return 0;
}
// expect: exits 0 1
