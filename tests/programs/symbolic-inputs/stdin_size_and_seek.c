//@ run: --sym-stdin 4
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    struct stat st;
    char c;
    if (fstat(0, &st) || !S_ISREG(st.st_mode) || st.st_size != 4) return 9;
    if (lseek(0, 3, SEEK_SET) != 3 || read(0, &c, 1) != 1) return 8;
    if (c == 'e') return 1;
    return 0;
}
// expect: exits 0 1
