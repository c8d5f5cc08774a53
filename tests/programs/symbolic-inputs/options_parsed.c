// getopt on two symbolic arguments.
//@ args: --sym-args 0 2 2 --printable
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int seen = 0, c;
    opterr = 0;
    while ((c = getopt(argc, argv, "ab:")) != -1) {
        if (c == 'a') seen |= 1;
        else if (c == 'b') seen |= 2;
        else return 8;
    }
    switch (seen) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: return 3;
    }
}
// expect: exits 0 1 2 3 8
