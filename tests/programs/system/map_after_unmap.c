#include <sys/mman.h>
int main(void) {
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(p, 4096);
    p[5] = 1; // expect: bug use-after-free
    return 0;
}
