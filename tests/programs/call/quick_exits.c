#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void never(void) { puts("never"); }
static void quick(void) { write(1, "quick\n", 6); }
int main(void) {
    atexit(never);
    at_quick_exit(quick);
    printf("lost in the buffer");
    write(1, "direct\n", 7);
    quick_exit(300);
}
