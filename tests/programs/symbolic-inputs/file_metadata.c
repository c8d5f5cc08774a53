//@ run: --sym-file data.txt 1 --sym-stat
#include <sys/stat.h>
int main(void) {
    struct stat st;
    if (stat("data.txt", &st)) return 9;
    if (st.st_size != 1) return 8;
    if (st.st_mode & S_IXUSR) return 1;
    return 0;
}
// expect: exits 0 1
