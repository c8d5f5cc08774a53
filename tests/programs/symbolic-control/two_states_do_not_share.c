// What one path does to memory and files, the other does not see.
#include <fathom.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <fcntl.h>
static int global;
int main(void) {
    int *heap = calloc(1, sizeof *heap), local = 0;
    if (fathom_int("x") > 0) {
        global = *heap = local = 1;
        int fd = open("made", O_CREAT | O_WRONLY, 0600);
        if (fd < 0 || write(fd, "a", 1) != 1 || close(fd)) return 9;
    }
    int there = access("made", F_OK) == 0;
    if (global != *heap || *heap != local || local != there) return 8;
    return local;
}
// expect: exits 0 1
